import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { decode } from "./decode.js";
import { detect } from "./detect.js";
import { encode, joinsMessage } from "./encode.js";
import { framing } from "./framing.js";
import { limits } from "./limits.js";
import { joins, NAME } from "./wire.js";

/** The chats of an Open WebUI export, which its import accepts too. */
export const openWebui: Dialect = {
  name: NAME,
  title: "Open WebUI chat export",
  kind: "transcript",
  framing,
  branches: true,
  limits,
  detect,
  check,
  joins,
  decode,
  joinsMessage,
  encode,
};
