import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { decode } from "./decode.js";
import { detect } from "./detect.js";
import { encode } from "./encode.js";
import { mend } from "./mend.js";

/** What pi, and OpenClaw through it, keeps on disk: a header, then a tree of entries, one per line. */
export const pi: Dialect = {
  name: "pi",
  title: "pi session file",
  kind: "transcript",
  framing: { kind: "lines" },
  branches: true,
  limits: [
    {
      at: "/ext",
      role: "session",
      why: "a header that stands before a tree must say its version",
    },
    { at: "", role: "session", why: "the header of a pi session says id, time, key, agent and sender only" },
    { at: "", role: "compaction", why: "a compaction entry has no such field" },
    { at: "", role: "custom", why: "a custom entry has no such field" },
  ],
  detect,
  check,
  mend,
  joins: () => false,
  joinsMessage: () => false,
  decode,
  encode,
};
