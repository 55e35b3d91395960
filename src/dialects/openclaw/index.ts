import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { decode } from "./decode.js";
import { detect } from "./detect.js";
import { encode } from "./encode.js";
import { mend } from "./mend.js";
import { NAME } from "./wire.js";

/** The transcript that is the model itself: one message per line. */
export const openclaw: Dialect = {
  name: NAME,
  title: "OpenClaw transcript",
  kind: "transcript",
  framing: { kind: "lines" },
  branches: true,
  limits: [],
  detect,
  check,
  mend,
  joins: () => false,
  joinsMessage: () => false,
  decode,
  encode,
};
