import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { decode } from "./decode.js";
import { detect } from "./detect.js";
import { encode, joinsMessage } from "./encode.js";
import { framing } from "./framing.js";
import { limits } from "./limits.js";
import { mend } from "./mend.js";
import { isAssistant, NAME } from "./wire.js";

/** The AI SDK's UI messages, as `useChat` holds them: one JSON array. */
export const aiSdkUi: Dialect = {
  name: NAME,
  title: "AI SDK UI messages",
  kind: "transcript",
  framing,
  branches: false,
  limits,
  detect,
  check,
  mend,
  joins: (last, next) => isAssistant(last) && isAssistant(next),
  joinsMessage,
  decode,
  encode,
};
