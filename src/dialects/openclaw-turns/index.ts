import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { decode } from "./decode.js";
import { detect } from "./detect.js";
import { encode } from "./encode.js";
import { limits } from "./limits.js";
import { mend } from "./mend.js";
import { joins, NAME } from "./wire.js";

/** Session transcripts of agents on channels: one turn per line, each with at most one tool call. */
export const openclawTurns: Dialect = {
  name: NAME,
  title: "OpenClaw session turns",
  kind: "transcript",
  framing: { kind: "lines" },
  branches: false,
  pendingResults: true,
  limits,
  detect,
  check,
  mend,
  joins,
  joinsMessage: () => false,
  decode,
  encode,
};
