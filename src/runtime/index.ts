export { configPath, homeFolder, readConfig } from "./config.js";
export { Conversation } from "./conversation.js";
export { Runtime, type RuntimeOptions } from "./runtime.js";
export type { Config } from "./schema.js";
export type {
  Accepted,
  ConversationEvent,
  Outcome,
  PermissionAnswer,
  PermissionRequest,
} from "./types.js";
