import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { decode } from "./decode.js";
import { detect } from "./detect.js";
import { encode } from "./encode.js";
import { limits } from "./limits.js";
import { mend } from "./mend.js";
import { NAME } from "./wire.js";

/** The session files of pi, which OpenClaw also uses: a header, then a tree of entries, one per line. */
export const pi: Dialect = {
  name: NAME,
  title: "pi session file",
  kind: "transcript",
  framing: { kind: "lines" },
  branches: true,
  parentKey: "parentId",
  keptKeys: ["firstKeptEntryId"],
  limits,
  detect,
  check,
  mend,
  joins: () => false,
  joinsMessage: () => false,
  decode,
  encode,
};
