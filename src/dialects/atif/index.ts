import type { Dialect } from "../../core/dialect.js";
import { check, checkAll } from "./check.js";
import { decode } from "./decode.js";
import { detect } from "./detect.js";
import { encode, joinsMessage } from "./encode.js";
import { framing } from "./framing.js";
import { limits } from "./limits.js";
import { mend } from "./mend.js";
import { isHeader, NAME } from "./wire.js";

/** The Agent Trajectory Interchange Format, versions 1.4 to 1.8. */
export const atif: Dialect = {
  name: NAME,
  title: "ATIF trajectory",
  kind: "transcript",
  framing,
  branches: false,
  limits,
  isLink: isHeader,
  detect,
  check,
  checkAll,
  mend,
  joins: () => false,
  decode,
  joinsMessage,
  encode,
};
