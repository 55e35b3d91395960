import type { Limit } from "../../core/dialect.js";
import { limitsOf, textCompactionLimits } from "../../core/records/role-limits.js";

const otherRole = "a step is a system, user or agent message, with the tool results it observed";

/** Why something cannot be stored in a trajectory; the first match applies. */
export const limits: readonly Limit[] = [
  { at: "/id", role: "session", why: "a trajectory always names its session" },
  { at: "/id", why: "steps have numbers instead of ids" },
  { at: "/parentId", why: "a trajectory is linear, without branches" },
  { at: "/sender", why: "a step has a source but no sender" },
  { at: "/ext/atif", why: "it does not apply to this kind of message" },
  ...limitsOf("session", {
    "/timestamp": "a trajectory does not state when it began",
    "/key": "a session has an id but no key",
    "/title": "a trajectory has no title",
    "/parent": "a trajectory names the trajectories it started, not the one that started it",
    "": "a document has exactly one session",
  }),
  { at: "/timestamp", why: "a timestamp is a date with whole milliseconds" },
  ...limitsOf("user", { "/content/*": "a message holds only text, and images and audio by address" }),
  ...limitsOf("system", { "/content/*": "a message holds only text, and images and audio by address" }),
  { at: "/content", role: "user", why: "a text alone is written as a string" },
  { at: "/content", role: "system", why: "a text alone is written as a string" },
  ...limitsOf("toolResult", {
    "/toolName": "a result names its call, and the call is not known",
    "/details": "a result holds only what the model is shown",
    "/content": "a result holds only text, and images and audio by address",
  }),
  ...limitsOf("assistant", {
    "/content/*/thinkingSignature": "reasoning_content is plain text",
    "/content/*/thoughtSignature": "a call has only its id, tool and arguments",
    "/content/*/argumentsError": "a call has only its id, tool and arguments",
    "/content": "a step holds its reasoning, then its text, then its calls, and images and audio by address",
    "/api": "a step names the model, not the API",
    "/provider": "a step names the model, not its provider",
    "/stopReason": "a step does not state why the model stopped",
    "/errorMessage": "a step does not state how an attempt failed",
    "/usage/totalTokens": "the total is not stored; readers add up the parts",
    "/usage/cost": "only the total cost is stored",
  }),
  ...textCompactionLimits,
  ...["status", "error", "agentComplete", "agentMessage", "custom"].map((role) => ({
    at: "",
    role,
    why: otherRole,
  })),
];
