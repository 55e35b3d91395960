import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { decode } from "./decode.js";
import { detect } from "./detect.js";
import { encode, joinsMessage } from "./encode.js";
import { limits } from "./limits.js";
import { joins, NAME } from "./wire.js";

/** The transcripts of Cursor's agent. Cursor does not read them, so only its own are written again. */
export const cursor: Dialect = {
  name: NAME,
  title: "Cursor agent transcript",
  kind: "transcript",
  framing: { kind: "lines" },
  oneWay: {
    only: "reads",
    hint: "Cursor does not read its transcripts; write claude-code or another dialect",
  },
  branches: false,
  limits,
  detect,
  check,
  joins,
  decode,
  joinsMessage,
  encode,
};
