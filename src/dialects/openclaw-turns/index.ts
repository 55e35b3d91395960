import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { decode } from "./decode.js";
import { detect } from "./detect.js";
import { encode } from "./encode.js";
import { mend } from "./mend.js";
import { joins, NAME } from "./wire.js";

const SILENT = "every turn is shown to the model, and this line is not for it";

/** The session transcript of agents on channels: one turn per line, at most one tool call in each. */
export const openclawTurns: Dialect = {
  name: NAME,
  title: "OpenClaw session turns",
  kind: "transcript",
  framing: { kind: "lines" },
  branches: false,
  pendingResults: true,
  limits: [
    { at: "/content/*/url", why: "a data URL is taken for the bytes that it holds" },
    { at: "/content/*/data", why: "a data URL is taken for the bytes that it holds" },
    { at: "/ext", why: "an empty ext says nothing" },
    { at: "", role: "session", why: "a session file has turns and no header; its name is the session key" },
    { at: "", role: "status", why: SILENT },
    { at: "", role: "error", why: SILENT },
    { at: "", role: "custom", why: SILENT },
  ],
  detect,
  check,
  mend,
  joins,
  joinsMessage: () => false,
  decode,
  encode,
};
