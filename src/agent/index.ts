export { closingResults } from "../core/message/open-calls.js";
export { contextOf } from "../core/shown/context-of.js";
export { contextTokens } from "../core/shown/tokens.js";
export { type CompactionLimits, type CompactOptions, compact, shouldCompact } from "./compaction.js";
export {
  type AskPermission,
  type PermissionAction,
  type PermissionRequest,
  type PermissionRule,
  permissionHook,
} from "./permissions.js";
export { MessageQueue, type QueueMode } from "./queue.js";
export { type RunOptions, run } from "./run.js";
export {
  type SubAgent,
  type SubAgentAnswer,
  type SubAgentOptions,
  type SubAgentTask,
  subAgentTool,
} from "./sub-agent.js";
export type { AgentModel, Append, Tool, ToolHooks, ToolOutput, ToolRun } from "./types.js";
