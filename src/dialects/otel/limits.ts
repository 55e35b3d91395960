import type { Limit } from "../../core/dialect.js";
import { limitsOf, textCompactionLimits } from "../../core/records/role-limits.js";

const otherRole = "a span records only what was sent to the model and what it answered";

/** Why something cannot be stored in the attributes of a span; the first match applies. */
export const limits: readonly Limit[] = [
  { at: "/id", role: "session", why: "a span names the conversation, if it has an id" },
  { at: "/id", why: "messages have no ids" },
  { at: "/parentId", why: "a span records one branch" },
  { at: "/timestamp", why: "a span does not state when a message was sent" },
  { at: "/sender", role: "system", why: "system instructions have no name" },
  { at: "/ext/otel", why: "it does not apply to this kind of message" },
  ...limitsOf("session", {
    "/key": "a conversation has an id but no key",
    "/title": "a conversation has no title",
    "/parent": "a conversation does not state where it comes from",
    "": "a span names its conversation or agent, or has no session",
  }),
  { at: "/content", role: "user", why: "a text alone is read as a string; media have no name and no detail" },
  {
    at: "/content",
    role: "system",
    why: "a text alone is read as a string; media have no name and no detail",
  },
  ...limitsOf("toolResult", {
    "/toolName": "a result names its call, and the call is not known",
    "/details": "a result holds only what the model is shown",
    "/content": "a response is a text, a JSON value or a list of parts",
  }),
  ...limitsOf("assistant", {
    "/content/*/argumentsError": "a call has only its id, name and arguments",
    "/content": "an answer holds text, reasoning, tool calls and media without names",
    "/api": "a span names the provider, not the API",
    "/errorMessage": "a message does not state how an attempt failed",
    "/usage/cost": "the conventions have no costs",
    "/usage": "the conventions count input, output and cached tokens",
  }),
  ...textCompactionLimits,
  ...["status", "error", "agentComplete", "agentMessage", "custom"].map((role) => ({
    at: "",
    role,
    why: otherRole,
  })),
];
