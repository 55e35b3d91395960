import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { decode } from "./decode.js";
import { detect } from "./detect.js";
import { encode, joinsMessage } from "./encode.js";
import { framing } from "./framing.js";
import { limits } from "./limits.js";
import { isToolMessage, NAME } from "./wire.js";

/** The AI SDK's model messages, as `streamText` accepts them: one JSON array. */
export const aiSdk: Dialect = {
  name: NAME,
  title: "AI SDK model messages",
  kind: "transcript",
  framing,
  branches: false,
  limits,
  detect,
  check,
  joins: (last, next) => isToolMessage(last) && isToolMessage(next),
  joinsMessage,
  decode,
  encode,
};
