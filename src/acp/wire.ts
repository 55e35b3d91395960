import type { Static } from "@sinclair/typebox";
import * as Type from "@sinclair/typebox";
import { AnyObject, named, ref, tagged } from "../core/schema/build.js";

/*
 * What a client of the Agent Client Protocol, version 1, sends, in the protocol's names. Each schema requires only what we
 * read, and allows fields that it does not know.
 */

const text = Type.String();
const optionalText = Type.Optional(Type.Union([text, Type.Null()]));
const sessionId = text;
const media = { data: text, mimeType: text };

export const AcpResource = named(
  "AcpResource",
  Type.Object({
    uri: text,
    text: Type.Optional(text),
    blob: Type.Optional(text),
    mimeType: optionalText,
  }),
);

export type AcpResource = Static<typeof AcpResource>;

/** A part of a message, as in the Model Context Protocol. */
export const AcpContentBlock = named(
  "AcpContentBlock",
  tagged("type", [
    Type.Object({ type: Type.Literal("text"), text }),
    Type.Object({ type: Type.Literal("image"), ...media }),
    Type.Object({ type: Type.Literal("audio"), ...media }),
    Type.Object({ type: Type.Literal("resource_link"), uri: text, name: text, mimeType: optionalText }),
    Type.Object({ type: Type.Literal("resource"), resource: ref(AcpResource) }),
  ]),
);
export type AcpContentBlock = Static<typeof AcpContentBlock>;

export const AcpInitialize = named(
  "AcpInitialize",
  Type.Object({
    protocolVersion: Type.Integer(),
    clientCapabilities: Type.Optional(Type.Union([AnyObject, Type.Null()])),
  }),
);
export type AcpInitialize = Static<typeof AcpInitialize>;

const pairs = Type.Optional(Type.Union([Type.Array(Type.Object({ name: text, value: text })), Type.Null()]));

/** The program to start is in `command`, or the server's address in `url`. */
export const AcpMcpServer = named(
  "AcpMcpServer",
  Type.Object({
    name: text,
    type: Type.Optional(text),
    command: Type.Optional(text),
    args: Type.Optional(Type.Union([Type.Array(text), Type.Null()])),
    env: pairs,
    url: Type.Optional(text),
    headers: pairs,
  }),
);
export type AcpMcpServer = Static<typeof AcpMcpServer>;

const folder = {
  cwd: text,
  mcpServers: Type.Optional(Type.Array(ref(AcpMcpServer))),
  additionalDirectories: Type.Optional(Type.Array(text)),
};

export const AcpNewSession = named("AcpNewSession", Type.Object(folder));
export type AcpNewSession = Static<typeof AcpNewSession>;

/** For `session/load` and `session/resume`. */
export const AcpOpenSession = named("AcpOpenSession", Type.Object({ sessionId, ...folder }));
export type AcpOpenSession = Static<typeof AcpOpenSession>;

export const AcpListSessions = named(
  "AcpListSessions",
  Type.Object({ cwd: optionalText, cursor: optionalText }),
);
export type AcpListSessions = Static<typeof AcpListSessions>;

/** For `session/close` and `session/cancel`. */
export const AcpSessionRef = named("AcpSessionRef", Type.Object({ sessionId }));
export type AcpSessionRef = Static<typeof AcpSessionRef>;

export const AcpSetConfigOption = named(
  "AcpSetConfigOption",
  Type.Object({ sessionId, configId: text, value: Type.Union([text, Type.Boolean()]) }),
);
export type AcpSetConfigOption = Static<typeof AcpSetConfigOption>;

export const AcpPrompt = named(
  "AcpPrompt",
  Type.Object({ sessionId, prompt: Type.Array(ref(AcpContentBlock), { minItems: 1 }) }),
);
export type AcpPrompt = Static<typeof AcpPrompt>;

/** The answer to `session/request_permission`. */
export const AcpPermissionAnswer = named(
  "AcpPermissionAnswer",
  Type.Object({
    outcome: tagged("outcome", [
      Type.Object({ outcome: Type.Literal("selected"), optionId: text }),
      Type.Object({ outcome: Type.Literal("cancelled") }),
    ]),
  }),
);
export type AcpPermissionAnswer = Static<typeof AcpPermissionAnswer>;

/** The answer to `elicitation/create`. */
export const AcpElicitationAnswer = named(
  "AcpElicitationAnswer",
  Type.Object({
    action: text,
    content: Type.Optional(
      Type.Union([
        Type.Record(text, Type.Union([text, Type.Number(), Type.Boolean(), Type.Array(text)])),
        Type.Null(),
      ]),
    ),
  }),
);
export type AcpElicitationAnswer = Static<typeof AcpElicitationAnswer>;

/*
 * What an agent sends. Everything that we only keep is unchecked.
 */

const declared = Type.Optional(Type.Unknown());

/** The answer to `initialize`. */
export const AcpInitialized = named(
  "AcpInitialized",
  Type.Object({
    protocolVersion: Type.Integer(),
    agentCapabilities: Type.Optional(
      Type.Object({
        loadSession: Type.Optional(Type.Boolean()),
        promptCapabilities: Type.Optional(
          Type.Object({
            image: Type.Optional(Type.Boolean()),
            audio: Type.Optional(Type.Boolean()),
            embeddedContext: Type.Optional(Type.Boolean()),
          }),
        ),
        mcpCapabilities: Type.Optional(Type.Object({ http: Type.Optional(Type.Boolean()) })),
        sessionCapabilities: Type.Optional(Type.Object({ resume: declared })),
      }),
    ),
    agentInfo: Type.Optional(Type.Union([Type.Object({ name: text, version: optionalText }), Type.Null()])),
    authMethods: Type.Optional(Type.Array(Type.Object({ id: text, name: optionalText }))),
  }),
);
export type AcpInitialized = Static<typeof AcpInitialized>;

/** The answer to `session/prompt`. */
export const AcpPromptEnd = named("AcpPromptEnd", Type.Object({ stopReason: text }));
export type AcpPromptEnd = Static<typeof AcpPromptEnd>;

/** `session/update` */
export const AcpSessionUpdate = named(
  "AcpSessionUpdate",
  Type.Object({ sessionId, update: Type.Object({ sessionUpdate: text }) }),
);
export type AcpSessionUpdate = Static<typeof AcpSessionUpdate>;

/** An update with a part of a message. */
export const AcpChunk = named(
  "AcpChunk",
  Type.Object({ sessionUpdate: text, content: ref(AcpContentBlock), messageId: optionalText }),
);
export type AcpChunk = Static<typeof AcpChunk>;

const toolCall = Type.Object({
  toolCallId: text,
  title: optionalText,
  name: optionalText,
  kind: optionalText,
  status: optionalText,
  content: Type.Optional(Type.Union([Type.Array(AnyObject), Type.Null()])),
  locations: Type.Optional(Type.Union([Type.Array(Type.Object({ path: text })), Type.Null()])),
  rawInput: declared,
  rawOutput: declared,
});

/** `tool_call`, `tool_call_update`, and the call in a permission request: each has what changes. */
export const AcpToolCall = named("AcpToolCall", toolCall);
export type AcpToolCall = Static<typeof AcpToolCall>;

/** `session/request_permission` */
export const AcpPermissionRequest = named(
  "AcpPermissionRequest",
  Type.Object({
    sessionId,
    toolCall: ref(AcpToolCall),
    options: Type.Array(Type.Object({ optionId: text, name: text, kind: text })),
  }),
);
export type AcpPermissionRequest = Static<typeof AcpPermissionRequest>;
