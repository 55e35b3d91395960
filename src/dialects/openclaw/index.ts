import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { decode } from "./decode.js";
import { detect } from "./detect.js";
import { encode } from "./encode.js";
import { mend } from "./mend.js";
import { NAME } from "./wire.js";

/** Each line is one message in the model's own format. */
export const openclaw: Dialect = {
  name: NAME,
  title: "OpenClaw transcript",
  kind: "transcript",
  framing: { kind: "lines" },
  branches: true,
  parentKey: "parentId",
  limits: [],
  detect,
  check,
  mend,
  joins: () => false,
  joinsMessage: () => false,
  decode,
  encode,
};
