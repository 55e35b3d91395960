import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { decode } from "./decode.js";
import { detect } from "./detect.js";
import { encode, joinsMessage } from "./encode.js";
import { leafRole } from "./leaf-role.js";
import { limits } from "./limits.js";
import { notesOf } from "./notes.js";
import { CARRIED, isLink, joins, NAME } from "./wire.js";

/** The session files of Qwen Code: lines that form a tree. */
export const qwenCode: Dialect = {
  name: NAME,
  title: "Qwen Code session",
  kind: "transcript",
  framing: { kind: "lines" },
  branches: true,
  compactsToHistory: (compaction) => notesOf(compaction)["carried"] !== true,
  limits,
  isLink,
  isCarrier: ({ subtype }) => subtype === CARRIED,
  leafRole,
  detect,
  check,
  joins,
  decode,
  joinsMessage,
  encode,
};
