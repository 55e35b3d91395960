import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { checkSenders } from "./check-senders.js";
import { decode } from "./decode.js";
import { advise, detect } from "./detect.js";
import { encode } from "./encode.js";
import { fold } from "./fold.js";
import { limits } from "./limits.js";
import { live } from "./stream.js";
import { joins, NAME } from "./wire.js";

export { TimbalAnswer } from "./answer.js";
export type { TimbalMessage } from "./live-message.js";
export { type TimbalChange, TimbalReceiver } from "./receiver.js";
export { TimbalSender, type TimbalSenderOptions } from "./sender.js";

/** Timbal Messages/1.0 over Timbal/1.0 frames: one message per line, live or complete. */
export const timbal: Dialect = {
  name: NAME,
  title: "Timbal frames",
  kind: "transcript",
  framing: { kind: "frames", fold },
  branches: false,
  limits,
  detect,
  advise,
  check,
  checkAll: checkSenders,
  joins,
  joinsMessage: () => false,
  decode,
  encode,
  live,
};
