export type { PermissionEnd, PermissionRequest } from "../core/message/question-notes.js";
export type { PermissionAnswer } from "../core/types.js";
export { configPath, homeFolder, readConfig } from "./config.js";
export { Conversation } from "./conversation.js";
export { Runtime, type RuntimeOptions } from "./runtime.js";
export type { Config } from "./schema.js";
export type { Accepted, ConversationEvent, Outcome } from "./types.js";
