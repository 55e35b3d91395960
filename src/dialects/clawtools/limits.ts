import type { Limit } from "../../core/dialect.js";

const noOrigin = "clawtools messages do not record the API, provider or model";
const noStop = "clawtools messages do not record why the model stopped";
const noIds = "clawtools messages have no ids, only an order";

export const limits: readonly Limit[] = [
  { at: "", role: "system", why: "clawtools passes the system prompt separately from the messages" },
  { at: "", role: "session", why: "clawtools messages have no session" },
  { at: "/timestamp", why: "clawtools messages have no time" },
  { at: "/usage", why: "clawtools messages have no token counts or costs" },
  ...["/api", "/provider", "/model"].map((at) => ({ at, why: noOrigin })),
  ...["/stopReason", "/errorMessage"].map((at) => ({ at, why: noStop })),
  ...["/id", "/parentId"].map((at) => ({ at, why: noIds })),
  { at: "/sender", why: "clawtools messages have no sender" },
  { at: "/ext", why: "clawtools messages have no field for it" },
  { at: "/content/*/ext", why: "clawtools blocks have no field for it" },
  {
    at: "/content",
    role: "toolResult",
    why: "a clawtools tool result holds only plain text and images as data",
  },
  { at: "/content/*/mimeType", why: "a clawtools image URL has no other fields" },
  { at: "/content/*/name", why: "a clawtools image has no field but its URL" },
  { at: "/content", why: "clawtools does not define this block" },
];
