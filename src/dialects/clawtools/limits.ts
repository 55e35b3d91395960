import type { Limit } from "../../core/dialect.js";

export const limits: readonly Limit[] = [
  { at: "", role: "system", why: "clawtools takes the system prompt beside the messages, not among them" },
  { at: "", role: "session", why: "clawtools messages do not say which session they belong to" },
  { at: "/timestamp", why: "clawtools messages carry no time" },
  { at: "/usage", why: "clawtools messages carry no token counts and no costs" },
  { at: "/api", why: "clawtools messages do not say how they were made" },
  { at: "/provider", why: "clawtools messages do not say how they were made" },
  { at: "/model", why: "clawtools messages do not say how they were made" },
  { at: "/stopReason", why: "clawtools messages do not say why the model stopped" },
  { at: "/errorMessage", why: "clawtools messages do not say why the model stopped" },
  { at: "/id", why: "clawtools messages have no ids; their order is their place" },
  { at: "/parentId", why: "clawtools messages have no ids; their order is their place" },
  { at: "/sender", why: "clawtools messages do not say who sent them" },
  { at: "/ext", why: "clawtools messages have no field for it" },
  { at: "/content/*/ext", why: "clawtools blocks have no field for it" },
  {
    at: "/content",
    role: "toolResult",
    why: "a clawtools tool result holds plain text and images as data, nothing else",
  },
  { at: "/content/*/mimeType", why: "a clawtools image by URL is the URL alone" },
  {
    at: "/content/*/detail",
    role: "toolResult",
    why: "a clawtools tool result holds images as data alone",
  },
  { at: "/content/*/name", why: "a clawtools image is its URL alone" },
  { at: "/content", why: "clawtools has no such block" },
];
