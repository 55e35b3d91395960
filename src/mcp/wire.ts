import type { Static } from "@sinclair/typebox";
import * as Type from "@sinclair/typebox";
import { AnyObject, named, ref, tagged } from "../core/schema/build.js";

/*
 * What the other side of a connection sends, in the protocol's names. Each schema requires only what we read, and allows
 * fields that it does not know.
 */

const text = Type.Optional(Type.String());
const flag = Type.Optional(Type.Boolean());
const meta = Type.Optional(AnyObject);
const cursor = { nextCursor: text };
const enumeration = <const T extends string>(values: readonly T[]) => Type.Unsafe<T>({ enum: [...values] });

const JsonRpcId = Type.Unsafe<string | number>({ type: ["string", "number"] });
const version = { jsonrpc: Type.Literal("2.0") };

export const JsonRpcRequest = named(
  "JsonRpcRequest",
  Type.Object({ ...version, id: JsonRpcId, method: Type.String(), params: Type.Optional(AnyObject) }),
);
export type JsonRpcRequest = Static<typeof JsonRpcRequest>;

/** Without an id: it is not answered. */
export const JsonRpcNotification = named(
  "JsonRpcNotification",
  Type.Object({ ...version, method: Type.String(), params: Type.Optional(AnyObject) }),
);
export type JsonRpcNotification = Static<typeof JsonRpcNotification>;

export const JsonRpcError = named(
  "JsonRpcError",
  Type.Object({ code: Type.Number(), message: Type.String(), data: Type.Optional(Type.Unknown()) }),
);
export type JsonRpcError = Static<typeof JsonRpcError>;

export const JsonRpcResult = named(
  "JsonRpcResult",
  Type.Object({ ...version, id: JsonRpcId, result: AnyObject }),
);
export type JsonRpcResult = Static<typeof JsonRpcResult>;

/** The id is null or missing if the request could not be read. */
export const JsonRpcFailure = named(
  "JsonRpcFailure",
  Type.Object({
    ...version,
    id: Type.Optional(Type.Unsafe<string | number | null>({ type: ["string", "number", "null"] })),
    error: ref(JsonRpcError),
  }),
);
export type JsonRpcFailure = Static<typeof JsonRpcFailure>;

/** The name and version of a client or a server. */
export const McpImplementation = named(
  "McpImplementation",
  Type.Object({ name: Type.String(), version: Type.String(), title: text }),
);
export type McpImplementation = Static<typeof McpImplementation>;

const changes = Type.Optional(Type.Object({ listChanged: flag }));

export const McpServerCapabilities = named(
  "McpServerCapabilities",
  Type.Object({
    tools: changes,
    prompts: changes,
    resources: Type.Optional(Type.Object({ listChanged: flag, subscribe: flag })),
    completions: meta,
  }),
);
export type McpServerCapabilities = Static<typeof McpServerCapabilities>;

/** The result of `initialize`, legacy. */
export const McpInitializeResult = named(
  "McpInitializeResult",
  Type.Object({
    protocolVersion: Type.String(),
    capabilities: ref(McpServerCapabilities),
    serverInfo: ref(McpImplementation),
    instructions: text,
  }),
);
export type McpInitializeResult = Static<typeof McpInitializeResult>;

/** The result of `server/discover`, modern. */
export const McpDiscoverResult = named(
  "McpDiscoverResult",
  Type.Object({
    supportedVersions: Type.Array(Type.String()),
    capabilities: ref(McpServerCapabilities),
    instructions: text,
    _meta: meta,
  }),
);
export type McpDiscoverResult = Static<typeof McpDiscoverResult>;

const resource = { uri: Type.String(), mimeType: text, title: text, description: text };

/** The content of a resource: `text`, or Base64 in `blob`. */
export const McpResourceContents = named(
  "McpResourceContents",
  Type.Object({ uri: Type.String(), mimeType: text, text, blob: text }),
);
export type McpResourceContents = Static<typeof McpResourceContents>;

const media = { data: Type.String(), mimeType: Type.String() };

export const McpContentBlock = named(
  "McpContentBlock",
  tagged("type", [
    Type.Object({ type: Type.Literal("text"), text: Type.String() }),
    Type.Object({ type: Type.Literal("image"), ...media }),
    Type.Object({ type: Type.Literal("audio"), ...media }),
    Type.Object({ type: Type.Literal("resource_link"), name: Type.String(), ...resource }),
    Type.Object({ type: Type.Literal("resource"), resource: ref(McpResourceContents) }),
  ]),
);
export type McpContentBlock = Static<typeof McpContentBlock>;

export const McpTool = named(
  "McpTool",
  Type.Object({
    name: Type.String(),
    title: text,
    description: text,
    /** A JSON Schema of an object. */
    inputSchema: AnyObject,
    /** A JSON Schema of `structuredContent`. */
    outputSchema: meta,
    annotations: meta,
    _meta: meta,
  }),
);
export type McpTool = Static<typeof McpTool>;

/** The members of a list are checked one by one, so that a wrong one does not hide the others. */
const list = Type.Array(Type.Unknown());

export const McpToolList = named("McpToolList", Type.Object({ tools: list, ...cursor }));
export type McpToolList = Static<typeof McpToolList>;

/** Blocks are checked one by one: a block of an unknown type is shown as its JSON. */
export const McpCallResult = named(
  "McpCallResult",
  Type.Object({
    content: Type.Optional(list),
    structuredContent: Type.Optional(Type.Unknown()),
    isError: flag,
    _meta: meta,
  }),
);
export type McpCallResult = Static<typeof McpCallResult>;

export const McpResource = named("McpResource", Type.Object({ name: Type.String(), ...resource }));
export type McpResource = Static<typeof McpResource>;

export const McpResourceList = named("McpResourceList", Type.Object({ resources: list, ...cursor }));
export type McpResourceList = Static<typeof McpResourceList>;

export const McpReadResult = named(
  "McpReadResult",
  Type.Object({ contents: Type.Array(ref(McpResourceContents)) }),
);
export type McpReadResult = Static<typeof McpReadResult>;

export const McpPrompt = named(
  "McpPrompt",
  Type.Object({
    name: Type.String(),
    title: text,
    description: text,
    arguments: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), description: text, required: flag })),
    ),
  }),
);
export type McpPrompt = Static<typeof McpPrompt>;

export const McpPromptList = named("McpPromptList", Type.Object({ prompts: list, ...cursor }));
export type McpPromptList = Static<typeof McpPromptList>;

export const McpPromptResult = named(
  "McpPromptResult",
  Type.Object({
    description: text,
    messages: Type.Array(Type.Object({ role: enumeration(["user", "assistant"]), content: Type.Unknown() })),
  }),
);
export type McpPromptResult = Static<typeof McpPromptResult>;

/** Modern: the server needs answers first. The client repeats the request with them and the same `requestState`. */
export const McpInputRequired = named(
  "McpInputRequired",
  Type.Object({
    resultType: Type.Literal("input_required"),
    inputRequests: Type.Optional(
      Type.Record(Type.String(), Type.Object({ method: Type.String(), params: Type.Optional(AnyObject) })),
    ),
    requestState: text,
  }),
);
export type McpInputRequired = Static<typeof McpInputRequired>;

/** A question to the person: a form (`requestedSchema`), or a page to open (`url`). */
export const McpElicitParams = named(
  "McpElicitParams",
  Type.Object({
    mode: Type.Optional(enumeration(["form", "url"])),
    message: Type.String(),
    requestedSchema: Type.Optional(
      Type.Object({
        properties: Type.Record(Type.String(), AnyObject),
        required: Type.Optional(Type.Array(Type.String())),
      }),
    ),
    url: text,
  }),
);
export type McpElicitParams = Static<typeof McpElicitParams>;

/** The person's answer; `content` only with `accept`. */
export interface McpElicitResult {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, string | number | boolean | string[]>;
}

export const McpProgress = named(
  "McpProgress",
  Type.Object({
    progressToken: JsonRpcId,
    progress: Type.Number(),
    total: Type.Optional(Type.Number()),
    message: text,
  }),
);
export type McpProgress = Static<typeof McpProgress>;
