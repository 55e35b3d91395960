import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { driftsOf, fieldPlace } from "../../core/records/drift.js";
import { NAME } from "./wire.js";

const { error, untypedPart } = driftsOf(NAME);

/** The parts that each role may have. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  user: ["text", "image", "file"],
  assistant: ["text", "file", "reasoning", "tool-call", "tool-result", "tool-approval-request"],
  tool: ["tool-result", "tool-approval-response"],
};

const outputs: readonly unknown[] = [
  "text",
  "json",
  "error-text",
  "error-json",
  "execution-denied",
  "content",
];

/** Readable messages that the AI SDK refuses. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap(({ role, content }, index) => {
    const types = allowed[String(role)];
    if (!Array.isArray(content) || types === undefined) return [];
    return content.flatMap((part, place) => [
      ...checkPart(part, types, String(role), `/${index}/content/${place}`),
    ]);
  });
}

function* checkPart(part: unknown, types: readonly string[], role: string, at: string): Generator<Drift> {
  if (!isObject(part) || !isString(part["type"])) {
    yield untypedPart(at);
  } else if (!types.includes(part["type"])) {
    const message = `a message of the role "${role}" has no part of type ${JSON.stringify(part["type"])}`;
    yield error(`${at}/type`, "part-type", message, `use ${types.join(", ")}`);
  } else if (part["type"] === "tool-call") yield* checkCall(part, at);
  else if (part["type"] === "tool-result") yield* checkResult(part, at);
}

function* checkCall(part: JsonObject, at: string): Generator<Drift> {
  if (Object.hasOwn(part, "input")) return;
  const isOld = Object.hasOwn(part, "args");
  const message = isOld
    ? "the input of a call is in input; args is AI SDK 4's field"
    : "the call has no input";
  yield error(
    isOld ? `${at}/args` : at,
    "no-input",
    message,
    isOld ? "rename args to input" : 'add "input": { … }',
  );
}

function* checkResult(part: JsonObject, at: string): Generator<Drift> {
  const { output } = part;
  if (isObject(output) && outputs.includes(output["type"])) return;
  const message = "the output of a tool result has no type that the AI SDK defines";
  const hint = 'write "output": { "type": "text", "value": "…" }';
  yield error(fieldPlace(part, "output", at), "output", message, hint);
}
