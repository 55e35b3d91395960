import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { decode, decodeWritten } from "./decode.js";
import { detect } from "./detect.js";
import { encode, joinsMessage } from "./encode.js";
import { limits } from "./limits.js";
import { lossesOf } from "./losses.js";
import { mend } from "./mend.js";
import { rollback } from "./rollback.js";
import { CARRIED, isLink, joins, NAME } from "./wire.js";

export { joinHistory } from "./history-base.js";

/** The session files of Codex: response items, with events and settings between them. */
export const codex: Dialect = {
  name: NAME,
  title: "Codex session",
  kind: "transcript",
  framing: { kind: "lines" },
  branches: false,
  rollback,
  compactsToHistory: () => true,
  limits,
  lossesOf,
  isLink,
  isCarrier: ({ type }) => type === CARRIED,
  detect,
  check,
  mend,
  joins,
  decode,
  decodeWritten,
  joinsMessage,
  encode,
};
