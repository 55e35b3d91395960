import type { Limit } from "../../core/dialect.js";
import { limitsOf } from "../../core/records/role-limits.js";

const ownIds = "opencode requires ids of its own form, so one was derived";
const rising = "opencode sorts messages by time, so each has a later one, in whole milliseconds";
const otherDialects = "only the dialects named in it can represent it";
const noSuchPart = "opencode has no part for it";
const noSignature = "opencode has no field for this signature, or not for all of it";

/** Why something cannot be stored in an export; the first match applies. */
export const limits: readonly Limit[] = [
  { at: "/parentId", why: "an export is linear, without branches" },
  { at: "/sender", why: "a message has a role but no sender" },
  ...limitsOf("session", {
    "/id": ownIds,
    "/timestamp": "a session has a time in whole milliseconds",
    "/key": "a session has an id but no key",
    "/agent": "the agents of opencode are those of its configuration",
    "/title": "every session has a title",
    "/parent/session": ownIds,
    "/parent": "a session names only the session that started it",
    "/ext": "the export states its own folder and version",
    "": "an export has exactly one session",
  }),
  { at: "/ext", why: otherDialects },
  { at: "/content/*/ext", why: otherDialects },
  { at: "/content/*/textSignature", why: noSignature },
  { at: "/content/*/detail", why: "a file part has no level of detail" },
  ...limitsOf("system", {
    "/id": "instructions are a field of the prompt after them",
    "/timestamp": "instructions are a field of the prompt after them",
    "/content": "instructions are one string",
    "": "instructions are a field of the prompt after them, and there is none",
  }),
  ...limitsOf("toolResult", {
    "/id": "a result is part of its call and has no id",
    "/timestamp": "a result has a time in whole milliseconds",
    "/toolName": "a result is part of its call, which names the tool",
    "/details": "the metadata of a result is an object",
    "/content": "a result is one text, followed by files unless it is an error",
    "": "a result is part of its call, and no answer before it has the call",
  }),
  { at: "/id", why: ownIds },
  { at: "/timestamp", why: rising },
  ...limitsOf("assistant", {
    "/content/*/thinkingSignature": noSignature,
    "/content/*/thoughtSignature": noSignature,
    "/content/*/argumentsError": "a call has only its input",
    "/content/*": noSuchPart,
    "/api": "an answer names its provider, not the API",
    "/stopReason": "an answer that ended has a reason, and one that broke off has an error",
    "/errorMessage": "only an answer that broke off has an error",
    "/usage/cost/total": "every answer has a cost",
    "/usage/cost/*": "only the whole cost is stored",
    "/usage": "every answer has its tokens and cost",
  }),
  ...limitsOf("user", { "/content/*": noSuchPart, "/content": "a prompt is a list of parts" }),
  ...limitsOf("compaction", {
    "/verbatim": "the summary is an answer, and is shown as it is",
    "/keptIds": "only everything after a message can be kept",
    "/firstKeptId": ownIds,
    "/replacement": "a compaction has a summary, not another history",
    "/tokensBefore": "a compaction has no number of tokens",
    "/details": "a compaction has only a summary",
  }),
  { at: "", why: "an export has only prompts, answers, results and compactions" },
];
