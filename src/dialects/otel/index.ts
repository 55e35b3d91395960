import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { decode } from "./decode.js";
import { advise, detect } from "./detect.js";
import { encode } from "./encode.js";
import { framing } from "./framing.js";
import { limits } from "./limits.js";
import { NAME } from "./wire.js";

/** Messages as the GenAI semantic conventions of OpenTelemetry record them. */
export const otel: Dialect = {
  name: NAME,
  title: "OpenTelemetry messages",
  kind: "transcript",
  framing,
  branches: false,
  limits,
  detect,
  advise,
  check,
  joins: () => true,
  decode,
  joinsMessage: () => true,
  encode,
};
