import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { decode } from "./decode.js";
import { detect } from "./detect.js";
import { encode, joinsMessage } from "./encode.js";
import { framing } from "./framing.js";
import { limits } from "./limits.js";
import { mend } from "./mend.js";
import { joins, NAME } from "./wire.js";

export { type ClineFile, clineFileName } from "./file-name.js";

/** The messages file of a Cline session, version 1. */
export const cline: Dialect = {
  name: NAME,
  title: "Cline session messages",
  kind: "transcript",
  framing,
  branches: false,
  limits,
  detect,
  check,
  mend,
  joins,
  decode,
  joinsMessage,
  encode,
};
