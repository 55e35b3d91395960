import type { KnownShapes } from "../../core/records/known-shapes.js";

/** `scripts/collect-shapes.ts` adds to the list. */
export const shapes: KnownShapes = {
  tags: ["role", "type"],
  enums: [],
  free: ["input", "metadata", "<tool_result>.content"],
  objects: `
<>: agent, origin object, sessionId, system_prompt null|string, taskType, updated_at, version number,
  workspace
<>.origin: client, version
<assistant>: content []|object[]|string, id, interrupted, metadata any, metrics object, modelInfo object,
  ts number
<assistant>.content[]<text>: signature, text
<assistant>.content[]<thinking>: signature, thinking
<assistant>.content[]<tool_use>: id, input any, name, signature
<assistant>.metrics: cacheReadTokens number, cacheWriteTokens number, cost number, inputTokens number,
  outputTokens number, reasoningTokens number
<assistant>.modelInfo: family, id, provider, region
<user>: agent, content []|object[]|string, id, metadata any, sessionId, ts number
<user>.content[]<text>: text
<user>.content[]<tool_result>: content any, is_error boolean, name, tool_use_id
`,
};
