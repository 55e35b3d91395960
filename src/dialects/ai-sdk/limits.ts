import type { Limit } from "../../core/dialect.js";
import { limitsOf } from "../../core/records/role-limits.js";

const noOrigin = "a model message does not record where an answer comes from";
const noSignature = "the AI SDK has no field for this signature, or not for all of it";

/** Why something cannot be stored in model messages; the first match applies. */
export const limits: readonly Limit[] = [
  { at: "/parentId", why: "model messages are a list, without branches" },
  { at: "/id", why: "model messages have no ids" },
  { at: "/timestamp", why: "model messages have no time" },
  { at: "/sender", why: "a model message has a role but no sender" },
  { at: "/ext/synthesised", why: "the message has a neutral value there" },
  { at: "/ext/*", why: "only the dialect named in it can represent it" },
  { at: "/ext", why: "only the dialects named in it can represent it" },
  { at: "/content/*/ext", why: "only the dialects named in it can represent it" },
  ...limitsOf("system", { "/content": "the system prompt is one string" }),
  ...limitsOf("toolResult", {
    "/details": "a tool result holds only what the model is shown",
    "/isPending": "a tool result is always final",
    "/isError": "only a text can be marked as an error",
    "/content/*/textSignature": "a tool result has no signatures",
    "/content/*/name": "an image or a URL in a tool result has no name",
  }),
  ...limitsOf("assistant", {
    "/api": noOrigin,
    "/provider": noOrigin,
    "/model": noOrigin,
    "/usage": "a model message has no token counts or costs",
    "/stopReason": "a model message does not record why the model stopped",
    "/errorMessage": "a model message does not record how an answer failed",
    "/content/*/argumentsError": "a tool-call part has only the call's input",
    "/content/*/textSignature": noSignature,
    "/content/*/thinkingSignature": noSignature,
    "/content/*/redacted": "the AI SDK has no field for this API's redacted thinking",
    "/content/*/thoughtSignature": noSignature,
    "": "an answer that failed before any output leaves no message",
  }),
  { at: "/content/*/textSignature", why: "only answers have signatures" },
  { at: "/content/*/detail", why: "a file part does not state how closely to look at an image" },
  { at: "/content/*/mimeType", why: "a file part must have a media type" },
  { at: "/content/*", why: "a file part must have an absolute URL or the file's bytes" },
  ...["session", "status", "error", "agentComplete", "agentMessage", "compaction", "custom"].map((role) => ({
    at: "",
    role,
    why: "model messages are from the system, the user, the assistant or a tool",
  })),
];
