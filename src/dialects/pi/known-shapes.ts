import type { KnownShapes } from "../../core/records/known-shapes.js";

/** `scripts/collect-shapes.ts` adds to the list. */
export const shapes: KnownShapes = {
  tags: ["type", "role"],
  enums: ["stopReason"],
  free: ["arguments", "details", "ext", "<custom>.data"],
  objects: `
<branch_summary>: details any, fromHook boolean, fromId, id, parentId, summary, timestamp
<compaction>: details any, firstKeptEntryId null|string, firstKeptEntryIndex number, fromHook boolean, id,
  parentId, summary, timestamp,
  tokensBefore number
<context_edit>: id, parentId, replacement null|object, targetId, timestamp
<context_edit>.replacement: content
<custom>: customType, data any, id, parentId, timestamp
<custom_message>: content object[]|string, customType, details any, display boolean, id, parentId, timestamp
<custom_message>.content[]<image>: data, mimeType
<custom_message>.content[]<text>: text
<label>: id, label, parentId, targetId, timestamp
<leaf>: appendParentId, id, parentId null|string, targetId null|string, timestamp
<message>: id, message object, parentId null|string, timestamp
<message>.message<assistant>: api, content []|object[], diagnostics object[], errorMessage, model, provider,
  responseId, responseModel, stopReason "aborted"|"deferred"|"error"|"pending"|"stop"|"toolUse",
  timestamp number, usage object
<message>.message<assistant>.content[]<text>: text, textSignature
<message>.message<assistant>.content[]<thinking>: redacted boolean, thinking, thinkingSignature
<message>.message<assistant>.content[]<toolCall>: arguments any, argumentsError, id, name, namespace,
  partialJson, thoughtSignature
<message>.message<assistant>.diagnostics[]<provider>: message
<message>.message<assistant>.usage: cacheRead number, cacheWrite number, cost object, input number,
  output number, reasoning number, totalTokens number
<message>.message<assistant>.usage.cost: cacheRead number, cacheWrite number, input number, output number,
  total number, totalFromProvider boolean
<message>.message<bashExecution>: cancelled boolean, command, excludeFromContext boolean, exitCode number,
  output, timestamp number, truncated boolean
<message>.message<branchSummary>: fromId, summary, timestamp number
<message>.message<compaction>: summary, timestamp number
<message>.message<compactionSummary>: summary, timestamp number, tokensBefore number
<message>.message<custom>: content, customType, data any, display boolean, timestamp number
<message>.message<hookMessage>: content object[]|string, customType, details any, display boolean, note,
  timestamp number
<message>.message<hookMessage>.content[]<text>: text
<message>.message<session>: id, timestamp number
<message>.message<system>: content, timestamp number
<message>.message<toolResult>: content object[], details any, isError boolean, timestamp number, toolCallId,
  toolName
<message>.message<toolResult>.content[]<text>: text
<message>.message<user>: content object[]|string, timestamp number
<message>.message<user>.content[]<text>: text
<model_change>: id, modelId, parentId null|string, provider, timestamp
<reset>: id, parentId, timestamp
<session>: cwd, id, modelId, parentSession, provider, thinkingLevel, timestamp, version number
<session_info>: id, name, parentId, timestamp
<thinking_level_change>: id, parentId, thinkingLevel, timestamp
<usage>: id, parentId, reason, timestamp, usage object
<usage>.usage: cacheRead number, cacheWrite number, cost object, input number, output number,
  totalTokens number
<usage>.usage.cost: cacheRead number, cacheWrite number, input number, output number, total number
`,
};
