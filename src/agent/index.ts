export { contextOf } from "./context.js";
export { MessageQueue, type QueueMode } from "./queue.js";
export { type RunOptions, run } from "./run.js";
export type { AgentModel, Append, Tool, ToolHooks, ToolOutput, ToolRun } from "./types.js";
export { unansweredCalls } from "./unanswered.js";
