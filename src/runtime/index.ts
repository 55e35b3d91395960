export { configPath, homeFolder, readConfig } from "./config.js";
export { type Accepted, Conversation } from "./conversation.js";
export { Runtime, type RuntimeOptions } from "./runtime.js";
export type { Config } from "./schema.js";
export type {
  ConversationEvent,
  Outcome,
  PermissionAnswer,
  PermissionRequest,
} from "./types.js";
