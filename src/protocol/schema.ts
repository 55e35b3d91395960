import type { Static, TSchema } from "@sinclair/typebox";
import { named } from "../core/schema/build.js";
import * as events from "./events.js";
import * as messages from "./messages.js";
import { methods } from "./methods.js";
import * as shared from "./shared.js";

export type MethodName = keyof typeof methods;
export type Params<M extends MethodName> = Static<(typeof methods)[M]["params"]>;
export type Result<M extends MethodName> = Static<(typeof methods)[M]["result"]>;

export type RpcCursor = Static<typeof shared.RpcCursor>;
export type RpcStored = Static<typeof shared.RpcStored>;
export type RpcQuestion = Static<typeof shared.RpcQuestion>;
export type RpcPermissionRequest = Static<typeof shared.RpcPermissionRequest>;
export type RpcAgentStep = Static<typeof events.RpcAgentStep>;
export type RpcAgentEvent = Static<typeof events.RpcAgentEvent>;
export type RpcChatEvent = Static<typeof events.RpcChatEvent>;
export type RpcMessageEvent = Static<typeof events.RpcMessageEvent>;
export type RpcPermissionEvent = Static<typeof events.RpcPermissionEvent>;
export type RpcSessionInfo = Static<typeof shared.RpcSessionInfo>;
export type RpcSessionEvent = Static<typeof events.RpcSessionEvent>;
export type RpcEvent = Static<typeof events.RpcEvent>;
export type RpcRequest = Static<typeof messages.RpcRequest>;
export type RpcError = Static<typeof messages.RpcError>;
export type RpcResponse = Static<typeof messages.RpcResponse>;

/** `chat.send` → `RpcChatSend`; `Params` or `Result` is appended. */
function schemaName(method: string): string {
  return `Rpc${method.replace(/(^|\.)([a-z])/g, (_, _dot, letter: string) => letter.toUpperCase())}`;
}

/** The schema names of each method's parameters and result. */
export const methodSchemaNames = Object.keys(methods).map((method) => ({
  method,
  params: `${schemaName(method)}Params`,
  result: `${schemaName(method)}Result`,
}));

const methodSchemas = Object.entries(methods).flatMap(([method, { params, result }]) => [
  { schema: named(`${schemaName(method)}Params`, params), type: `Params<"${method}">` },
  { schema: named(`${schemaName(method)}Result`, result), type: `Result<"${method}">` },
]);

/** Every named schema; the build writes each to `schemas/` and generates its validator. */
export const rpcSchemas: TSchema[] = [
  shared.RpcCursor,
  shared.RpcStored,
  shared.RpcQuestion,
  shared.RpcPermissionRequest,
  shared.RpcSessionInfo,
  ...Object.values(events),
  ...Object.values(messages),
  ...methodSchemas.map(({ schema }) => schema),
];

/** The type of a schema, as this module exports it. */
export function rpcType(name: string): string {
  return methodSchemas.find(({ schema }) => schema["title"] === name)?.type ?? name;
}
