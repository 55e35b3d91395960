import type { Dialect } from "../../core/dialect.js";
import { decode } from "./decode.js";
import { encode } from "./encode.js";
import { limits } from "./limits.js";
import { NAME } from "./wire.js";

/** OpenAI's training files for chat models: each line is one conversation. Only written. */
export const openaiFinetune: Dialect = {
  name: NAME,
  title: "OpenAI fine-tuning examples",
  kind: "transcript",
  framing: { kind: "lines" },
  oneWay: { only: "writes", hint: "read the transcripts that the examples were written from" },
  branches: false,
  limits,
  detect: () => 0,
  joins: () => true,
  joinsMessage: () => true,
  decode,
  encode,
};
