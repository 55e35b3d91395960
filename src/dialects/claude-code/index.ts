import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { decode, decodeWritten, skim } from "./decode.js";
import { detect } from "./detect.js";
import { encode, joinsMessage } from "./encode.js";
import { isCarried } from "./encode-note.js";
import { leafRole } from "./leaf-role.js";
import { limits } from "./limits.js";
import { mend } from "./mend.js";
import { isLink, joins, NAME } from "./wire.js";

/** The session files of Claude Code: lines that form a tree, with loose lines between them. */
export const claudeCode: Dialect = {
  name: NAME,
  title: "Claude Code session",
  kind: "transcript",
  framing: { kind: "lines" },
  branches: true,
  keptKeys: ["preservedMessages", "preservedSegment"],
  limits,
  isLink,
  isCarrier: isCarried,
  leafRole,
  detect,
  check,
  mend,
  joins,
  decode,
  skim,
  decodeWritten,
  joinsMessage,
  encode,
};
