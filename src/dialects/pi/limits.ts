import type { Limit } from "../../core/dialect.js";

export const limits: readonly Limit[] = [
  { at: "/ext", role: "session", why: "a header that stands before a tree must say its version" },
  { at: "", role: "session", why: "the header of a pi session says id, time, key, agent and sender only" },
  { at: "", role: "compaction", why: "a compaction entry has no such field" },
  { at: "", role: "custom", why: "a custom entry has no such field" },
];
