import { type DestinationStream, pino } from "pino";
import { visibleJson } from "../core/json/visible.js";
import { redactSecrets } from "../core/secrets.js";
import type { Logger } from "./types.js";

/**
 * Logs lines of JSON, without headers, anything that looks like a token or key, and characters that control a terminal.
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
