import type { Limit } from "../../core/dialect.js";
import { limitsOf } from "../../core/records/role-limits.js";

const oneRun = "one UI message holds a whole run, and only its first answer's fields are stored";
const noRole = "UI messages are from the system, the user or the assistant";
const noFile = "a file part must have an absolute URL or the file's bytes";
const noOrigin = "a UI message records the model, not its API or provider";

/** Why something cannot be stored in UI messages; the first match applies. */
export const limits: readonly Limit[] = [
  { at: "/parentId", why: "UI messages are a list, without branches" },
  { at: "/sender", why: "a UI message has a role but no sender" },
  { at: "/ext/synthesised", why: "the message has a neutral value there" },
  { at: "/ext/*", why: "only the dialect named in it can represent it" },
  { at: "/ext", why: "only the dialects named in it can represent it" },
  { at: "/content/*/ext", why: "only the dialects named in it can represent it" },
  ...limitsOf("toolResult", {
    "/id": "a tool result is part of its call and has no id",
    "/timestamp": "a tool result is part of its call and has no time",
    "/toolName": "a tool result has the name of its call",
    "/isPending": "a tool part holds one result, which is final",
    "/details": "a tool part holds only the output that a model is shown",
    "/content/*/textSignature": "a tool's output has no signatures",
    "/content": "a tool part's error is one text",
    "": "a tool result is part of its call, and its call is not in the same run",
  }),
  ...limitsOf("assistant", {
    "/id": oneRun,
    "/timestamp": oneRun,
    "/model": oneRun,
    "/api": noOrigin,
    "/provider": noOrigin,
    "/usage": "a UI message has no token counts or costs",
    "/stopReason": "a UI message does not record why the model stopped",
    "/errorMessage": "a UI message does not record how an answer failed",
    "/content/*/argumentsError": "a tool part has only the call's input",
    "/content/*/textSignature": "the AI SDK has no field for this signature, or not for all of it",
    "/content/*/thinkingSignature": "the AI SDK has no field for this signature, or not for all of it",
    "/content/*/redacted": "the AI SDK has no field for this API's redacted thinking",
    "/content/*/thoughtSignature": "the AI SDK has no field for this signature, or not for all of it",
    "": "an answer that failed before any output leaves no message",
  }),
  { at: "/id", why: "every UI message needs an id, so one was derived from its content" },
  { at: "/content/*/textSignature", why: "only answers have signatures" },
  { at: "/content/*/detail", why: "a file part does not state how closely to look at an image" },
  { at: "/content/*/mimeType", why: "a file part must have a media type" },
  { at: "/content/*", why: noFile },
  { at: "/content", why: "the content of a UI message is an array of parts" },
  ...["session", "status", "error", "agentComplete", "agentMessage", "compaction", "custom"].map((role) => ({
    at: "",
    role,
    why: noRole,
  })),
];
