import type { Limit } from "../../core/dialect.js";

const SILENT = "every turn is shown to the model, and this message must not be";

export const limits: readonly Limit[] = [
  { at: "/content/*/url", why: "a data URL is read as the bytes it contains" },
  { at: "/content/*/data", why: "a data URL is read as the bytes it contains" },
  { at: "/ext", why: "an empty ext carries no information" },
  { at: "", role: "session", why: "a session file has turns and no header; its name is the session key" },
  { at: "", role: "status", why: SILENT },
  { at: "", role: "error", why: SILENT },
  { at: "", role: "custom", why: SILENT },
];
