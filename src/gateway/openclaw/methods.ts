import type { Caller, Gateway } from "../types.js";
import { approvalMethods } from "./approval-methods.js";
import { chatMethods } from "./chat-methods.js";
import type { Connection } from "./connection.js";
import type { Hub } from "./hub.js";
import type { Params } from "./params.js";
import type { OperatorScope } from "./scopes.js";
import { sessionMethods } from "./session-methods.js";
import { startMethods } from "./start-methods.js";

/** What a method gets besides its parameters. */
export interface Call {
  hub: Hub;
  gateway: Gateway;
  connection: Connection;
  permit: Caller;
}

export interface Method {
  scope: OperatorScope;
  handle(params: Params, call: Call): Promise<unknown>;
}

export type Methods = Readonly<Record<string, Method>>;

/** The methods that are served. Any other is unknown. */
export const methods: Methods = { ...startMethods, ...sessionMethods, ...chatMethods, ...approvalMethods };

/** The events that are sent. */
export const EVENTS: readonly string[] = [
  "connect.challenge",
  "agent",
  "chat",
  "session.message",
  "sessions.changed",
  "exec.approval.requested",
  "exec.approval.resolved",
  "tick",
  "shutdown",
];
