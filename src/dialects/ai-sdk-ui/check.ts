import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { driftsOf, fieldPlace } from "../../core/records/drift.js";
import { isVersion4 } from "./version-4.js";
import { isToolPart, NAME, outcomeOf } from "./wire.js";

const { error, warning, untypedPart } = driftsOf(NAME);

/** Readable messages that the AI SDK refuses, or that another version of it wrote. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((record, index) => [...checkMessage(record, `/${index}`)]);
}

function* checkMessage(record: JsonRecord, at: string): Generator<Drift> {
  const { id, role, parts } = record;
  if (isVersion4(record)) {
    const message = "AI SDK 4 wrote this message; later versions do not read it";
    yield warning(at, "version-4", message, "`dragoman repair` rewrites it");
    return;
  }
  if (!isString(id)) {
    yield error(fieldPlace(record, "id", at), "no-id", "the message has no id", 'add "id": "…", a string');
  }
  if (!Array.isArray(parts)) return;
  if (parts.length === 0 && role !== "assistant") {
    const hint = 'write [{ "type": "text", "text": "…" }]';
    yield error(`${at}/parts`, "no-parts", `a ${String(role)} message must have at least one part`, hint);
  }
  for (const [index, part] of parts.entries()) yield* checkPart(part, `${at}/parts/${index}`);
}

function* checkPart(part: unknown, at: string): Generator<Drift> {
  if (!isObject(part) || !isString(part["type"])) {
    yield untypedPart(at);
  } else if (isToolPart(part)) yield* checkApproval(part, at);
  else if (part["type"] === "dynamic-tool" || part["type"].startsWith("tool-")) {
    const hint = "write toolCallId, and one of the states that the AI SDK defines, such as output-available";
    yield error(at, "tool-part", "the tool part has no call id, no tool name or an unknown state", hint);
  } else if (!isKnown(part)) {
    const message = `the AI SDK does not define this part of type ${JSON.stringify(part["type"])}`;
    yield error(at, "unknown-part", message, "use a data part, whose type begins with data-");
  }
}

/** The fields that a part must have, by type. */
const required: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  reasoning: ["text"],
  file: ["mediaType", "url"],
  "source-url": ["sourceId", "url"],
  "source-document": ["sourceId", "mediaType", "title"],
  "step-start": [],
};

function isKnown(part: JsonObject): boolean {
  const { type } = part;
  if (!isString(type)) return false;
  if (type.startsWith("data-")) return Object.hasOwn(part, "data");
  const fields = Object.hasOwn(required, type) ? required[type] : undefined;
  return fields?.every((field) => isString(part[field])) === true;
}

/** What the approval must state in each state; undefined if any answer, or none, is accepted. */
function* checkApproval({ state, approval }: JsonObject, at: string): Generator<Drift> {
  const { approved } = isObject(approval) ? approval : {};
  const isFine =
    state === "approval-requested"
      ? isObject(approval) && approved === undefined
      : state === "approval-responded"
        ? typeof approved === "boolean"
        : state === "output-denied"
          ? approved === false
          : outcomeOf(state) === "none"
            ? approval === undefined
            : approval === undefined || approved === true;
  if (isFine) return;
  const message = `the approval does not fit the state ${JSON.stringify(state)}`;
  yield error(
    approval === undefined ? at : `${at}/approval`,
    "approval",
    message,
    "correct the state or the approval",
  );
}
