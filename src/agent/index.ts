export { closingResults } from "../core/message/open-calls.js";
export { type CompactionLimits, type CompactOptions, compact, shouldCompact } from "./compaction.js";
export { contextOf } from "./context.js";
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
export { contextTokens } from "./tokens.js";
export type { AgentModel, Append, Tool, ToolHooks, ToolOutput, ToolRun } from "./types.js";
