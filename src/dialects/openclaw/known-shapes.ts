import type { KnownShapes } from "../../core/records/known-shapes.js";

/** `scripts/collect-shapes.ts` adds to the list. */
export const shapes: KnownShapes = {
  tags: ["role", "type"],
  enums: ["stopReason"],
  free: ["arguments", "details", "ext", "<custom>.data", "<agentComplete>.result"],
  objects: `
<agentComplete>: agentId, result any, timestamp number
<agentMessage>: payload, senderId, timestamp number
<assistant>: api, content []|object[], errorMessage, id, model, parentId, provider,
  stopReason "aborted"|"error"|"length"|"pending"|"stop"|"toolUse", timestamp number, usage object
<assistant>.content[]<text>: text, textSignature
<assistant>.content[]<thinking>: redacted boolean, thinking, thinkingSignature
<assistant>.content[]<toolCall>: arguments any, argumentsError, id, name, thoughtSignature
<assistant>.usage: cacheRead number, cacheWrite number, cost object, input number, output number,
  totalTokens number
<assistant>.usage.cost: cacheRead number, cacheWrite number, input number, output number, total number
<compaction>: firstKeptId, summary, timestamp number, tokensBefore number
<custom>: content, customType, data any, timestamp number
<error>: code, content, recoverable boolean, timestamp number
<session>: agent, id, key, timestamp number
<status>: detail, state, timestamp number
<system>: content, timestamp number
<toolResult>: content null|object[], isError boolean, timestamp number, toolCallId, toolName
<toolResult>.content[]<text>: text
<user>: content null|object[]|string, id, parentId null|string, sender, timestamp number
<user>.content[]<image>: data, mimeType, url
<user>.content[]<text>: text
`,
};
