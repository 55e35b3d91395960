import type { Static } from "@sinclair/typebox";
import * as Type from "@sinclair/typebox";

/*
 * `mcpServers` as other programs write it: a command to run, or a URL. Every text may contain `${NAME}` for an environment
 * variable, or `${NAME:-text}` with a default.
 */

const texts = Type.Record(Type.String(), Type.String());
const names = Type.Optional(Type.Array(Type.String()));

/** For a server that requires a login and does not register clients by itself. */
export const OAuthSettings = Type.Object(
  {
    /** The id of a client that you have registered, or the HTTPS address of a client-id metadata document. */
    clientId: Type.Optional(Type.String()),
    clientSecret: Type.Optional(Type.String()),
    /** Requested in addition to what the server asks for. */
    scopes: names,
  },
  { additionalProperties: false },
);
export type OAuthSettings = Static<typeof OAuthSettings>;

/** How to reach a server: either `command` or `url` is set, which `problemIn` checks. */
export const McpServerSettings = Type.Object(
  {
    /** Optional, because `command` or `url` already says it. */
    type: Type.Optional(
      Type.Unsafe<"stdio" | "http" | "streamable-http" | "sse">({
        enum: ["stdio", "http", "streamable-http", "sse"],
      }),
    ),
    /** A program, with its arguments in `args`. */
    command: Type.Optional(Type.String({ pattern: "\\S" })),
    args: Type.Optional(Type.Array(Type.String())),
    /** Added to the environment, which contains nothing that looks like a secret. */
    env: Type.Optional(texts),
    /** Its working folder (default: the home). */
    cwd: Type.Optional(Type.String()),
    /** A server that is reached over streamable HTTP. */
    url: Type.Optional(Type.String({ pattern: "^(https?://|\\$\\{)" })),
    headers: Type.Optional(texts),
    oauth: Type.Optional(OAuthSettings),
    /** The era of the protocol: with the `initialize` handshake (`legacy`) or without (`modern`). Default: `auto`. */
    era: Type.Optional(Type.Unsafe<"auto" | "modern" | "legacy">({ enum: ["auto", "modern", "legacy"] })),
    /** The tools to use; `*` stands for any characters (default: all). */
    enabledTools: names,
    /** Tools not to use. */
    disabledTools: names,
    /** How long a call may take without progress (default: 120). */
    timeoutSeconds: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    /** The server is not used. */
    disabled: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type McpServerSettings = Static<typeof McpServerSettings>;

/** It is part of tool names, of permission rules (`name/tool`) and of mentions (`@name:uri`). */
const serverName = Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$" });

/** `mcpServers` of the configuration. */
export const McpServersConfig = Type.Record(serverName, McpServerSettings, { additionalProperties: false });
export type McpServersConfig = Static<typeof McpServersConfig>;

/** `mcpServers` of an agent; `false` turns a server of all agents off. */
export const McpAgentServersConfig = Type.Record(
  serverName,
  Type.Union([Type.Literal(false), McpServerSettings]),
  { additionalProperties: false },
);
export type McpAgentServersConfig = Static<typeof McpAgentServersConfig>;
