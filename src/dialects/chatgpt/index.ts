import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { decode } from "./decode.js";
import { detect } from "./detect.js";
import { encode } from "./encode.js";
import { framing } from "./framing.js";
import { limits } from "./limits.js";
import { joins, NAME } from "./wire.js";

/** The conversations of a ChatGPT data export. */
export const chatgpt: Dialect = {
  name: NAME,
  title: "ChatGPT data export",
  kind: "transcript",
  framing,
  oneWay: { only: "reads", hint: "ChatGPT imports no conversations; write open-webui or another dialect" },
  branches: true,
  limits,
  detect,
  check,
  joins,
  decode,
  joinsMessage: joins,
  encode,
};
