import type { KnownShapes } from "../../core/records/known-shapes.js";

/** `scripts/collect-shapes.ts` adds to the list. */
export const shapes: KnownShapes = {
  tags: ["role", "type"],
  enums: ["stopReason"],
  free: [
    "arguments",
    "details",
    "ext",
    "replacement",
    "<custom>.data",
    "<opaque>.value",
    "<agentComplete>.result",
    "<agentMessage>.payload",
  ],
  objects: `
<agentComplete>: agentId, ext any, id, parentId null|string, result any, sender, timestamp number
<agentMessage>: ext any, id, parentId null|string, payload any, replyTo, sender, senderId, timestamp number
<assistant>: api, content []|object[], errorMessage, ext any, id, model, parentId null|string, provider,
  sender, stopReason "aborted"|"error"|"length"|"stop"|"toolUse", timestamp number, usage object
<assistant>.content[]<audio>: data, ext any, mimeType, name, url
<assistant>.content[]<file>: data, ext any, mimeType, name, url
<assistant>.content[]<image>: data, detail, ext any, mimeType, name, url
<assistant>.content[]<opaque>: dialect, ext any, value any
<assistant>.content[]<text>: ext any, text, textSignature
<assistant>.content[]<thinking>: ext any, redacted boolean, thinking, thinkingSignature
<assistant>.content[]<toolCall>: arguments any, argumentsError, ext any, id, name, thoughtSignature
<assistant>.usage: cacheRead number, cacheWrite number, cost object, input number, output number,
  totalTokens number
<assistant>.usage.cost: cacheRead number, cacheWrite number, input number, output number, total number
<compaction>: details any, ext any, firstKeptId, id, keptIds string[], parentId null|string, replacement any,
  sender, summary, timestamp number, tokensBefore number, verbatim boolean
<custom>: content object[]|string, customType, data any, ext any, id, parentId null|string, sender,
  timestamp number
<custom>.content[]<audio>: data, ext any, mimeType, name, url
<custom>.content[]<file>: data, ext any, mimeType, name, url
<custom>.content[]<image>: data, detail, ext any, mimeType, name, url
<custom>.content[]<opaque>: dialect, ext any, value any
<custom>.content[]<text>: ext any, text, textSignature
<error>: code, content, ext any, id, parentId null|string, recoverable boolean, sender, timestamp number
<session>: agent, ext any, id, key, parent object, parentId null|string, sender, timestamp number, title
<session>.parent: message, session, toolCallId
<status>: detail, ext any, id, parentId null|string, sender, state, timestamp number
<system>: content object[]|string, ext any, id, parentId null|string, sender, timestamp number
<system>.content[]<audio>: data, ext any, mimeType, name, url
<system>.content[]<file>: data, ext any, mimeType, name, url
<system>.content[]<image>: data, detail, ext any, mimeType, name, url
<system>.content[]<opaque>: dialect, ext any, value any
<system>.content[]<text>: ext any, text, textSignature
<toolResult>: content object[], details any, ext any, id, isError boolean, isPending boolean,
  parentId null|string, sender, timestamp number, toolCallId, toolName
<toolResult>.content[]<audio>: data, ext any, mimeType, name, url
<toolResult>.content[]<file>: data, ext any, mimeType, name, url
<toolResult>.content[]<image>: data, detail, ext any, mimeType, name, url
<toolResult>.content[]<opaque>: dialect, ext any, value any
<toolResult>.content[]<text>: ext any, text, textSignature
<user>: content object[]|string, ext any, id, parentId null|string, sender, timestamp number
<user>.content[]<audio>: data, ext any, mimeType, name, url
<user>.content[]<file>: data, ext any, mimeType, name, url
<user>.content[]<image>: data, detail, ext any, mimeType, name, url
<user>.content[]<opaque>: dialect, ext any, value any
<user>.content[]<text>: ext any, text, textSignature
`,
};
