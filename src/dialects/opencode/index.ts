import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { decode } from "./decode.js";
import { detect } from "./detect.js";
import { encode, joinsMessage } from "./encode.js";
import { framing } from "./framing.js";
import { limits } from "./limits.js";
import { joins, NAME } from "./wire.js";

/** A session as `opencode export` writes it and `opencode import` reads it. */
export const opencode: Dialect = {
  name: NAME,
  title: "opencode session export",
  kind: "transcript",
  framing,
  branches: false,
  limits,
  detect,
  check,
  joins,
  decode,
  joinsMessage,
  encode,
};
