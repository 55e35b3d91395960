import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { driftsOf, fieldPlace } from "../../core/records/drift.js";
import { timeOf } from "./time.js";
import { isMessageItem, itemIn, LINE_TYPES, NAME, payloadOf, ROLLED_BACK } from "./wire.js";

const { error, warning } = driftsOf(NAME);

/** Readable lines that Codex would ignore or misread, and what a file alone does not show. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((record, index) => [...checkLine(record, `/${index}`)]);
}

function* checkLine(record: JsonRecord, at: string): Generator<Drift> {
  const { type, payload } = record;
  if (!isObject(payload)) {
    const hint = "only Codex of early 2025 reads it; convert the file to codex to write it anew";
    yield warning(at, "no-envelope", "the line has no payload", hint);
    return;
  }
  if (isString(type) && !LINE_TYPES.has(type)) {
    const hint = "it is kept unchanged; Codex skips it";
    yield warning(`${at}/type`, "unknown-type", `unknown line type ${JSON.stringify(type)}`, hint);
  }
  if (timeOf(record) === undefined) {
    const message = `the timestamp is ${record["timestamp"] === undefined ? "missing" : "not an ISO time"}`;
    const hint = "Codex ignores the line; write a time like 2026-01-01T10:00:00.000Z";
    yield error(fieldPlace(record, "timestamp", at), "bad-time", message, hint);
  }
  if (type === "session_meta") yield* checkSession(payload, `${at}/payload`);
  if (type === "event_msg") yield* checkEvent(payloadOf(record), `${at}/payload`);
  const item = itemIn(record);
  if (item !== undefined) yield* checkItem(item, `${at}/payload`);
}

const REQUIRED = ["id", "timestamp", "cwd", "originator", "cli_version"] as const;

function* checkSession(payload: JsonObject, at: string): Generator<Drift> {
  for (const field of REQUIRED) {
    if (isString(payload[field])) continue;
    const hint = "Codex does not open the session; write it";
    yield error(fieldPlace(payload, field, at), "bad-session", `the session has no ${field}`, hint);
  }
  if (isObject(payload["history_base"])) {
    const hint = "the conversation starts in the file of the session that history_base names";
    yield warning(`${at}/history_base`, "starts-elsewhere", "the file has only the end of a session", hint);
  }
}

function* checkEvent({ type, num_turns: turns }: JsonObject, at: string): Generator<Drift> {
  if (type !== ROLLED_BACK) return;
  const message = `the user took back ${JSON.stringify(turns)} turns`;
  const hint = "they are still in the file; a conversion leaves them out of the conversation";
  yield warning(at, "rolled-back", message, hint);
}

function* checkItem(item: JsonObject, at: string): Generator<Drift> {
  const { type, role, arguments: given, output, content } = item;
  if (type === "function_call" && !isString(given)) {
    const hint = "Codex ignores the call and its result; write JSON text";
    yield error(fieldPlace(item, "arguments", at), "bad-call", "the arguments of a call are not text", hint);
  }
  const isOutput = type === "function_call_output" || type === "custom_tool_call_output";
  if (isOutput && !isString(output) && !Array.isArray(output)) {
    const hint = "Codex ignores the result and reports the call as aborted; write text or a list of parts";
    yield error(fieldPlace(item, "output", at), "bad-output", "the output is not text", hint);
  }
  if (Array.isArray(output)) yield* checkParts(output, "input_text", `${at}/output`);
  if (!isMessageItem(item)) return;
  if (role === "system") {
    const hint = "Codex drops it; write developer";
    yield warning(`${at}/role`, "system-role", "the role is system", hint);
  }
  const expected = role === "assistant" ? "output_text" : "input_text";
  if (Array.isArray(content)) yield* checkParts(content, expected, `${at}/content`);
}

const PARTS: ReadonlySet<unknown> = new Set([
  "input_text",
  "input_image",
  "input_audio",
  "output_text",
  "encrypted_content",
]);

function* checkParts(parts: readonly unknown[], expected: string, at: string): Generator<Drift> {
  for (const [index, part] of parts.entries()) {
    if (!isObject(part)) continue;
    const { type, image_url: url } = part;
    if (!PARTS.has(type)) {
      const hint = `Codex ignores the line; write ${expected}`;
      yield error(`${at}/${index}/type`, "bad-part", `the type of a part is ${String(type)}`, hint);
    }
    if (isString(url) && /^https?:/.test(url)) {
      const hint = "Codex shows a note to the model instead; write a data: URL";
      yield warning(`${at}/${index}/image_url`, "remote-image", "the image is at a remote address", hint);
    }
  }
}
