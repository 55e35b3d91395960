import type { Limit } from "../../core/dialect.js";

/** Why a request cannot carry everything that a conversation says. */
export const limits: readonly Limit[] = [
  { at: "/sender", why: "a request does not say who of several speaks" },
  { at: "/content/*/textSignature", why: "it is not the id of a message item of this API" },
  { at: "/content/*/thinkingSignature", why: "it is not a reasoning item of this API" },
  { at: "/content/*/thoughtSignature", why: "calls of this API are not signed" },
  {
    at: "/content/*/argumentsError",
    why: "a call holds its arguments as the model wrote them, nothing about them",
  },
  {
    at: "/content",
    role: "assistant",
    why: "answers hold text, reasoning, calls and items of this API; in a row they are one",
  },
  { at: "/content", why: "messages hold text, images, files and parts of this API" },
  { at: "/isError", role: "toolResult", why: "a result is text, whether or not it is an error" },
  { at: "/toolName", role: "toolResult", why: "a result names its call, not the tool" },
  { at: "", role: "session", why: "a request has no session" },
  { at: "", role: "status", why: "it is not for the model" },
  { at: "", role: "error", why: "it is not for the model" },
];
