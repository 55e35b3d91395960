import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { decode } from "./decode.js";
import { advise, detect } from "./detect.js";
import { encode } from "./encode.js";
import { framing } from "./framing.js";
import { limits } from "./limits.js";
import { mend } from "./mend.js";
import { NAME } from "./wire.js";

export type {
  AssistantMessage,
  Block,
  ConversationMessage,
  ImageUrlBlock,
  ResultBlock,
  ToolResultMessage,
  UserMessage,
} from "./wire.js";

/** clawtools messages, as a program passes them to a connector: one JSON array. */
export const clawtools: Dialect = {
  name: NAME,
  title: "clawtools message array",
  kind: "transcript",
  framing,
  branches: false,
  limits,
  detect,
  advise,
  check,
  mend,
  joins: () => false,
  joinsMessage: () => false,
  decode,
  encode,
};
