import type { Limit } from "../../core/dialect.js";

const prompts = "Open WebUI keeps prompts in the settings of a chat or a model";
const origin = "Open WebUI records only the model of an answer";
const parts = "the content of a message in Open WebUI is one text beside its files";

export const limits: readonly Limit[] = [
  { at: "", role: "system", why: prompts },
  { at: "/id", role: "session", why: "an Open WebUI chat has an id, a title and a time" },
  { at: "/id", why: "every message in Open WebUI has an id, and the steps of an answer share one" },
  { at: "/parentId", why: "every message in Open WebUI names the one before it" },
  { at: "/sender", why: "Open WebUI does not record who wrote a message" },
  { at: "/timestamp", why: "Open WebUI records whole seconds, and one time for all steps of an answer" },
  ...["/api", "/provider", "/usage", "/stopReason", "/model", "/errorMessage"].map((at) => ({
    at,
    role: "assistant",
    why: origin,
  })),
  { at: "/isError", role: "toolResult", why: "Open WebUI does not record whether a tool failed" },
  { at: "/details", role: "toolResult", why: "a tool result in Open WebUI is text and images" },
  { at: "/toolName", role: "toolResult", why: "a tool result in Open WebUI names only its call" },
  ...["textSignature", "thinkingSignature", "thoughtSignature", "redacted"].map((name) => ({
    at: `/content/*/${name}`,
    why: "Open WebUI has no field for provider signatures",
  })),
  { at: "/content/*/argumentsError", why: "Open WebUI does not record what is wrong with arguments" },
  { at: "/content", why: parts },
  { at: "", role: "session", why: "an Open WebUI chat has an id, a title and a time" },
];
