import type { Limit } from "../../core/dialect.js";

export const limits: readonly Limit[] = [
  { at: "/ext", role: "session", why: "a header before a tree must state its version" },
  { at: "", role: "session", why: "a pi session header has only id, time, key, agent and sender" },
  { at: "", role: "compaction", why: "a compaction entry has no such field" },
  { at: "", role: "custom", why: "a custom entry has no such field" },
];
