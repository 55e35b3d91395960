import type { Limit } from "../../core/dialect.js";

const answer = "a request sends back what a model said, not how it came about";

/** Why a request cannot carry everything that a conversation says. */
export const limits: readonly Limit[] = [
  { at: "/timestamp", why: "a request does not say when things were said" },
  { at: "/id", why: "messages of a request have no ids of ours" },
  { at: "/parentId", why: "a request is one branch" },
  { at: "/sender", why: "a request does not say who of several speaks" },
  { at: "/api", role: "assistant", why: answer },
  { at: "/provider", role: "assistant", why: answer },
  { at: "/model", role: "assistant", why: answer },
  { at: "/usage", role: "assistant", why: answer },
  { at: "/stopReason", role: "assistant", why: answer },
  { at: "/errorMessage", role: "assistant", why: answer },
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
  { at: "/details", role: "toolResult", why: "a result holds what is for the model only" },
  { at: "", role: "session", why: "a request has no session" },
  { at: "", role: "status", why: "it is not for the model" },
  { at: "", role: "error", why: "it is not for the model" },
];
