import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { sameJson } from "../../core/json/value.js";
import { impliedStop, isSynthesised } from "../../core/message/neutral.js";
import type { AgentMessage } from "../../core/types.js";
import { readPart, readTurn } from "./decode-turn.js";
import { write } from "./encode.js";
import { noteTurn } from "./notes.js";
import { joins, marksOf } from "./wire.js";

export function decode(unit: readonly JsonRecord[]): Decoded[] {
  const decoded: Decoded[] = [];
  let at = 0;
  while (at < unit.length) {
    const end = endOfRun(unit, at);
    const message = readMarked(unit, at, end);
    if (message !== undefined) decoded.push({ message, record: at });
    else for (let one = at; one < end; one++) decoded.push({ message: readPlain(unit, one), record: one });
    at = end;
  }
  return decoded;
}

function endOfRun(unit: readonly JsonRecord[], start: number): number {
  let end = start + 1;
  for (; end < unit.length; end++) {
    const [last, next] = [unit[end - 1], unit[end]];
    if (last === undefined || next === undefined || !joins(last, next)) break;
  }
  return end;
}

/**
 * The one message that these turns make up according to their marks. Undefined if we would not write these marks for that
 * message: a part is missing, or a turn was edited.
 */
function readMarked(unit: readonly JsonRecord[], start: number, end: number): AgentMessage | undefined {
  const first = unit[start];
  const marks = first === undefined ? undefined : marksOf(first);
  if (first === undefined || marks === undefined) return undefined;
  const rest = unit.slice(start + 1, end);
  const reading = readTurn(first, marks, `/${start}`);
  const { message } = reading;
  if (message.role === "assistant") {
    const more = rest.flatMap((turn, index) => readPart(turn, marksOf(turn), `/${start + 1 + index}`));
    message.content = [...message.content, ...more];
    if (isSynthesised(message, "/stopReason")) message.stopReason = impliedStop(message.content);
  }
  const [expected, ...others] = write(message, reading.notes);
  const fits =
    expected !== undefined &&
    sameJson(others, rest) &&
    sameJson(expected["content"], first["content"]) &&
    sameJson(marksOf(expected), marks);
  return fits ? noteTurn(message, reading.notes, first, expected) : undefined;
}

function readPlain(unit: readonly JsonRecord[], index: number): AgentMessage {
  const turn = unit[index] ?? {};
  const { message, notes } = readTurn(turn, undefined, `/${index}`);
  const [expected = {}] = write(message, notes);
  return noteTurn(message, notes, turn, expected);
}
