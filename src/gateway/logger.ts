import { type DestinationStream, pino } from "pino";
import { visibleJson } from "../core/json/visible.js";
import { redactSecrets } from "../core/secrets.js";
import type { Logger } from "./types.js";

/**
 * Notes as lines of JSON. Headers never get in, nor does anything that looks like a token or a key, nor a character that a
 * terminal would obey.
 */
export function makeLogger(level: "info" | "warn", to: DestinationStream = pino.destination(2)): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: ["headers", "*.headers", "apiKey", "*.apiKey", "secret", "*.secret"], remove: true },
      hooks: { streamWrite: (line) => visibleJson(redactSecrets(line)) },
    },
    to,
  );
}
