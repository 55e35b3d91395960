import type { KnownShapes } from "../../core/records/known-shapes.js";

/** `scripts/collect-shapes.ts` adds to the list. */
export const shapes: KnownShapes = {
  tags: ["type", "role"],
  enums: ["stopReason"],
  free: [
    "arguments",
    "details",
    "ext",
    "<custom>.data",
    "<opaque>.value",
    "<agentComplete>.result",
    "<agentMessage>.payload",
  ],
  objects: `
<branch_summary>: details any, fromHook boolean, fromId, id, parentId, summary, timestamp
<compaction>: details any, ext any, firstKeptEntryId null|string, firstKeptEntryIndex number,
  fromHook boolean, id, parentId null|string, sender, summary, timestamp, tokensBefore number
<context_edit>: id, parentId, replacement null|object, targetId, timestamp
<context_edit>.replacement: content
<custom>: customType, data any, ext any, id, parentId null|string, sender, timestamp
<custom_message>: content object[]|string, customType, details any, display boolean, ext any, id,
  parentId null|string, sender, timestamp
<custom_message>.content[]<image>: data, detail, ext any, mimeType, name, url
<custom_message>.content[]<text>: ext any, text, textSignature
<label>: id, label, parentId null|string, targetId, timestamp
<leaf>: appendParentId, id, parentId null|string, targetId null|string, timestamp
<message>: id, message object, parentId null|string, timestamp
<message>.message<agentComplete>: agentId, ext any, result any, sender, timestamp number
<message>.message<agentMessage>: ext any, payload any, replyTo, sender, senderId, timestamp number
<message>.message<assistant>: api, content []|object[], diagnostics object[], errorMessage, ext any, model,
  provider, responseId, responseModel, sender, stopReason "aborted"|"error"|"length"|"stop"|"toolUse",
  timestamp number, usage object
<message>.message<assistant>.content[]<audio>: data, ext any, mimeType, name, url
<message>.message<assistant>.content[]<file>: data, ext any, mimeType, name, url
<message>.message<assistant>.content[]<image>: data, detail, ext any, mimeType, name, url
<message>.message<assistant>.content[]<opaque>: dialect, ext any, value any
<message>.message<assistant>.content[]<text>: ext any, text, textSignature
<message>.message<assistant>.content[]<thinking>: ext any, redacted boolean, thinking, thinkingSignature
<message>.message<assistant>.content[]<toolCall>: arguments any, argumentsError, ext any, id, name, namespace,
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
<message>.message<error>: code, content, ext any, recoverable boolean, sender, timestamp number
<message>.message<hookMessage>: content object[]|string, customType, details any, display boolean, note,
  timestamp number
<message>.message<hookMessage>.content[]<text>: text
<message>.message<session>: id, timestamp number
<message>.message<status>: detail, ext any, sender, state, timestamp number
<message>.message<system>: content object[]|string, ext any, sender, timestamp number
<message>.message<system>.content[]<audio>: data, ext any, mimeType, name, url
<message>.message<system>.content[]<file>: data, ext any, mimeType, name, url
<message>.message<system>.content[]<image>: data, detail, ext any, mimeType, name, url
<message>.message<system>.content[]<opaque>: dialect, ext any, value any
<message>.message<system>.content[]<text>: ext any, text, textSignature
<message>.message<toolResult>: content object[], details any, ext any, isError boolean, isPending boolean,
  sender, timestamp number, toolCallId, toolName
<message>.message<toolResult>.content[]<audio>: data, ext any, mimeType, name, url
<message>.message<toolResult>.content[]<file>: data, ext any, mimeType, name, url
<message>.message<toolResult>.content[]<image>: data, detail, ext any, mimeType, name, url
<message>.message<toolResult>.content[]<opaque>: dialect, ext any, value any
<message>.message<toolResult>.content[]<text>: ext any, text, textSignature
<message>.message<user>: content object[]|string, ext any, sender, timestamp number
<message>.message<user>.content[]<audio>: data, ext any, mimeType, name, url
<message>.message<user>.content[]<file>: data, ext any, mimeType, name, url
<message>.message<user>.content[]<image>: data, detail, ext any, mimeType, name, url
<message>.message<user>.content[]<opaque>: dialect, ext any, value any
<message>.message<user>.content[]<text>: ext any, text, textSignature
<model_change>: id, modelId, parentId null|string, provider, timestamp
<reset>: id, parentId, timestamp
<session>: agent, cwd, ext any, id, key, modelId, parentSession, provider, sender, thinkingLevel, timestamp,
  version number
<session_info>: ext any, id, name, parentId null|string, sender, timestamp
<thinking_level_change>: id, parentId null|string, thinkingLevel, timestamp
<usage>: id, parentId, reason, timestamp, usage object
<usage>.usage: cacheRead number, cacheWrite number, cost object, input number, output number,
  totalTokens number
<usage>.usage.cost: cacheRead number, cacheWrite number, input number, output number, total number
`,
};
