import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { driftsOf, fieldPlace } from "../../core/records/drift.js";
import { checkFields } from "./check-fields.js";
import { checkResult } from "./check-results.js";
import { isTurnRole, joins, marksOf, NAME } from "./wire.js";

const { warning } = driftsOf(NAME);

/** Readable turns that violate the format. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return [...brokenParts(unit), ...unit.flatMap((turn, index) => [...checkTurn(turn, `/${index}`)])];
}

function* checkTurn(turn: JsonRecord, at: string): Generator<Drift> {
  const { role, toolCall, toolResult } = turn;
  if (!isTurnRole(role)) {
    const hint = "use user, assistant, tool or system";
    yield warning(`${at}/role`, "unknown-role", "the format does not define this role", hint);
  }
  yield* checkContent(turn, at);
  yield* checkFields(turn, at);
  if (toolCall !== undefined && role !== "assistant") {
    const message = "a tool call belongs in an assistant turn";
    yield warning(`${at}/toolCall`, "misplaced-call", message, "move it into an assistant turn");
  }
  if (isObject(toolCall) && !isObject(toolCall["arguments"])) {
    yield warning(`${at}/toolCall`, "bad-arguments", "the arguments of the tool call are not an object");
  }
  if (toolResult !== undefined && role !== "tool") {
    yield warning(`${at}/toolResult`, "misplaced-result", "a tool result belongs in a tool turn");
  }
  if (role === "tool") yield* checkResult(toolResult, at);
}

function* checkContent(turn: JsonRecord, at: string): Generator<Drift> {
  const { content } = turn;
  if (typeof content === "string") {
    const hint = 'write [{"type":"text","text":…}]';
    yield warning(`${at}/content`, "string-content", "the content is a string, not an array", hint);
  } else if (!Array.isArray(content)) {
    const place = fieldPlace(turn, "content", at);
    yield warning(place, "no-content", "the content is not an array", "write [] if there is none");
  } else {
    for (const [index, block] of content.entries()) {
      if (isKnownBlock(block)) continue;
      const message = "the format does not define this block";
      const hint = "use text, or image and audio by URL";
      yield warning(`${at}/content/${index}`, "unknown-block", message, hint);
    }
  }
}

function isKnownBlock(block: unknown): boolean {
  if (!isObject(block)) return false;
  const { type, source } = block;
  if (type === "text") return true;
  return (type === "image" || type === "audio") && isObject(source) && source["type"] === "url";
}

/** The parts in a unit must be complete: numbered from 1 to their count. */
function* brokenParts(unit: readonly JsonRecord[]): Generator<Drift> {
  const [first, last] = [unit[0], unit.at(-1)];
  if (first === undefined || last === undefined) return;
  const { part } = marksOf(first) ?? {};
  const end = marksOf(last) ?? {};
  const isWhole = (part === undefined || part === 1) && end["part"] === end["parts"];
  if (!isWhole || !unit.slice(1).every((turn, index) => joins(unit[index] ?? {}, turn))) {
    const message = "a message split over several turns is incomplete";
    yield warning("/0/metadata/dragoman", "broken-parts", message, "its turns are read one by one");
  }
}
