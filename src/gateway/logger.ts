import { writeSync } from "node:fs";
import { wordsOf } from "../core/error.js";
import { visibleJson } from "../core/json/visible.js";
import { redactSecrets } from "../core/secrets.js";
import { isSystemError } from "../core/system-error.js";
import type { Logger } from "./types.js";

/** Where lines go: each ends with a newline. */
export interface LineWriter {
  write(line: string): void;
}

const levels = ["info", "warn", "error"] as const;
/** Fields that are never logged, wherever they are. */
const secretFields: ReadonlySet<string> = new Set(["headers", "apiKey", "secret"]);

/**
 * Logs lines of JSON, without headers, anything that looks like a token or key, and characters that control a terminal.
 *
 * @example
 * makeLogger("info").warn({ session: "01J…" }, "could not read a file");
 * // {"level":"warn","time":"2026-01-31T12:00:00.000Z","session":"01J…","msg":"could not read a file"}
 */
export function makeLogger(level: "info" | "warn", to: LineWriter = standardError): Logger {
  const at = (name: (typeof levels)[number]) => (fields: object, text: string) => {
    if (levels.indexOf(name) < levels.indexOf(level)) return;
    const start = { level: name, time: new Date().toISOString() };
    to.write(`${visibleJson(redactSecrets(lineOf(start, fields, text)))}\n`);
  };
  return { info: at("info"), warn: at("warn"), error: at("error") };
}

/** A field that is not JSON, such as a cycle, costs the fields, never the line. */
function lineOf(start: object, fields: object, msg: string): string {
  try {
    return JSON.stringify({ ...start, ...fields, msg }, withoutSecrets);
  } catch (error) {
    return JSON.stringify({ ...start, fields: `not shown: ${wordsOf(error)}`, msg });
  }
}

/** A reader of the log that has gone must not stop the gateway. */
const standardError: LineWriter = {
  write(line) {
    const bytes = Buffer.from(line);
    for (let written = 0; written < bytes.length; ) {
      try {
        written += writeSync(process.stderr.fd, bytes, written);
      } catch (error) {
        if (!isSystemError(error)) throw error;
        if (error.code === "EPIPE") return;
        if (error.code !== "EAGAIN") throw error;
        // A pipe that is full: its stream waits until there is room.
        process.stderr.write(bytes.subarray(written));
        return;
      }
    }
  },
};

function withoutSecrets(field: string, value: unknown): unknown {
  if (secretFields.has(field)) return undefined;
  return value instanceof Error ? errorFields(value) : value;
}

/** An error's message and stack are not enumerable. Objects that it refers to are left out, except for its cause. */
function errorFields(error: Error): object {
  const own = Object.entries(error).filter(([, value]) =>
    ["string", "number", "boolean"].includes(typeof value),
  );
  const { name: type, message, stack, cause } = error;
  return { type, message, stack, ...Object.fromEntries(own), cause };
}
