import type { Limit } from "../../core/dialect.js";

const SILENT = "every turn is shown to the model, and this line is not for it";

export const limits: readonly Limit[] = [
  { at: "/content/*/url", why: "a data URL is taken for the bytes that it holds" },
  { at: "/content/*/data", why: "a data URL is taken for the bytes that it holds" },
  { at: "/ext", why: "an empty ext says nothing" },
  { at: "", role: "session", why: "a session file has turns and no header; its name is the session key" },
  { at: "", role: "status", why: SILENT },
  { at: "", role: "error", why: SILENT },
  { at: "", role: "custom", why: SILENT },
];
