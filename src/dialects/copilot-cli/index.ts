import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { decode } from "./decode.js";
import { detect } from "./detect.js";
import { encode, joinsMessage } from "./encode.js";
import { limits } from "./limits.js";
import { joins, NAME } from "./wire.js";

/** The event log of a session of GitHub Copilot CLI. */
export const copilotCli: Dialect = {
  name: NAME,
  title: "GitHub Copilot CLI session",
  kind: "transcript",
  framing: { kind: "lines" },
  branches: false,
  limits,
  detect,
  check,
  joins,
  decode,
  joinsMessage,
  encode,
};
