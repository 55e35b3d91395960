import type { KnownShapes } from "../../core/records/known-shapes.js";

/** `scripts/collect-shapes.ts` adds to the list. */
export const shapes: KnownShapes = {
  tags: ["type", "role", "status"],
  enums: ["finish", "mode"],
  free: [">.input", "metadata", "tools", "responseHeaders", "structured"],
  objects: `
<>: info object, parts []|object[], resultOrder number[]
<>.info: agent, cost number, directory, id, metadata any, model object, parentID, path, permission object[],
  projectID, revert object, share object, slug, summary object, time object, title, tokens object, version,
  workspaceID
<>.info.model: id, providerID, variant
<>.info.permission[]: action, pattern, permission
<>.info.revert: diff, messageID, partID, snapshot
<>.info.share: url
<>.info.summary: additions number, deletions number, files number
<>.info.time: archived number, compacting number, created number, updated number
<>.info.tokens: cache object, input number, output number, reasoning number, total number
<>.info.tokens.cache: read number, write number
<>.info<assistant>: agent, cost number, error object,
  finish "content-filter"|"error"|"length"|"other"|"stop"|"tool-calls"|"unknown", id,
  mode "build"|"compaction"|"plan", modelID, parentID, path object, providerID, sessionID, structured any,
  summary boolean, time object, tokens object, variant
<>.info<assistant>.error: data object, name
<>.info<assistant>.error.data: isRetryable boolean, message, responseHeaders any, statusCode number
<>.info<assistant>.path: cwd, root
<>.info<assistant>.time: completed number, created number
<>.info<assistant>.tokens: cache object, input number, output number, reasoning number, total number
<>.info<assistant>.tokens.cache: read number, write number
<>.info<user>: agent, format object, id, model object, sessionID, summary object, system, time object,
  tools any
<>.info<user>.format<text>:
<>.info<user>.model: modelID, providerID, variant
<>.info<user>.summary: diffs [], title
<>.info<user>.time: created number
<>.parts[]<agent>: id, messageID, name, sessionID, source object
<>.parts[]<agent>.source: end number, start number, value
<>.parts[]<compaction>: auto boolean, id, messageID, overflow boolean, sessionID, tail_start_id
<>.parts[]<file>: filename, id, messageID, mime, sessionID, source object, url
<>.parts[]<file>.source<file>: path, text object
<>.parts[]<file>.source<file>.text: end number, start number, value
<>.parts[]<patch>: files string[], hash, id, messageID, sessionID
<>.parts[]<reasoning>: id, messageID, metadata any, sessionID, text, time object
<>.parts[]<reasoning>.time: end number, start number
<>.parts[]<retry>: attempt number, error object, id, messageID, sessionID, time object
<>.parts[]<retry>.error: data object, name
<>.parts[]<retry>.error.data: isRetryable boolean, message
<>.parts[]<retry>.time: created number
<>.parts[]<snapshot>: id, messageID, sessionID, snapshot
<>.parts[]<step-finish>: cost number, id, messageID, reason, sessionID, snapshot, tokens object
<>.parts[]<step-finish>.tokens: cache object, input number, output number, reasoning number, total number
<>.parts[]<step-finish>.tokens.cache: read number, write number
<>.parts[]<step-start>: id, messageID, sessionID, snapshot
<>.parts[]<subtask>: agent, command, description, id, messageID, prompt, sessionID
<>.parts[]<text>: id, ignored boolean, messageID, metadata any, sessionID, synthetic boolean, text,
  time object
<>.parts[]<text>.time: end number, start number
<>.parts[]<tool>: callID, id, messageID, metadata any, sessionID, state object, tool
<>.parts[]<tool>.state<completed>: attachments object[], input any, metadata any, output, time object, title
<>.parts[]<tool>.state<completed>.attachments[]<file>: filename, id, messageID, mime, sessionID, url
<>.parts[]<tool>.state<completed>.time: compacted number, end number, start number
<>.parts[]<tool>.state<error>: error, input any, metadata any, time object
<>.parts[]<tool>.state<error>.time: end number, start number
<>.parts[]<tool>.state<pending>: input any, raw
<>.parts[]<tool>.state<running>: input any, metadata any, time object, title
<>.parts[]<tool>.state<running>.time: start number
`,
};
