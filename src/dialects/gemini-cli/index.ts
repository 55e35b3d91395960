import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { decode } from "./decode.js";
import { detect } from "./detect.js";
import { encode, joinsMessage } from "./encode.js";
import { fold } from "./fold.js";
import { limits } from "./limits.js";
import { idOf, isLink, joins, NAME } from "./wire.js";

/** The session files of Gemini CLI: lines, or one document. */
export const geminiCli: Dialect = {
  name: NAME,
  title: "Gemini CLI session",
  kind: "transcript",
  framing: { kind: "frames", fold, idOf },
  branches: false,
  limits,
  isLink,
  detect,
  check,
  joins,
  decode,
  joinsMessage,
  encode,
};
