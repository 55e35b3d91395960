import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { decode } from "./decode.js";
import { detect } from "./detect.js";
import { encode, joinsMessage } from "./encode.js";
import { framing } from "./framing.js";
import { limits } from "./limits.js";
import { joins, NAME } from "./wire.js";

/** The conversations of a Claude data export. */
export const claudeAi: Dialect = {
  name: NAME,
  title: "Claude data export",
  kind: "transcript",
  framing,
  oneWay: { only: "reads", hint: "Claude imports no conversations; write open-webui or another dialect" },
  branches: true,
  limits,
  detect,
  check,
  joins,
  decode,
  joinsMessage,
  encode,
};
