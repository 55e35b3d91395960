import { admit, release } from "../../core/admit.js";
import type { Dialect } from "../../core/dialect.js";
import { check } from "./check.js";
import { detect } from "./detect.js";
import { mend } from "./mend.js";

/** The transcript that is the model itself: one message per line. */
export const openclaw: Dialect = {
  name: "openclaw",
  title: "OpenClaw transcript",
  kind: "transcript",
  framing: { kind: "lines" },
  branches: true,
  limits: [],
  detect,
  check,
  mend,
  joins: () => false,
  joinsMessage: () => false,
  decode: (unit) =>
    unit.map((record, index) => ({
      message: admit(record, "openclaw", `/${index}`),
      record: index,
      base: "",
    })),
  encode: (unit) => unit.map((message) => release(message, "openclaw")),
};
