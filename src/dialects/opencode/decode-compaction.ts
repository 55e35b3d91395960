import type { JsonRecord } from "../../core/dialect.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { differencesOf } from "../../core/records/differences.js";
import type { CompactionMessage } from "../../core/types.js";
import { answerInfoOf, compactionPart, summaryPart } from "./encode-compaction.js";
import { userInfo } from "./encode-user.js";
import { type Before, createdIn, partFrame } from "./frame.js";
import { extWith, type KeptPart, keptNotes, nested } from "./notes.js";
import { partsOf, withoutParts } from "./parts.js";
import { infoOf, roleOf } from "./wire.js";

/** Whether these are a request to compact and the answer with the summary. Until it is answered, it replaces nothing. */
export function isCompaction(request: JsonRecord, answer: JsonRecord | undefined): answer is JsonRecord {
  if (answer === undefined || roleOf(request) !== "user" || roleOf(answer) !== "assistant") return false;
  const { summary, error, finish } = infoOf(answer);
  if (summary !== true || error !== undefined || !isString(finish)) return false;
  return (
    countOf(request, "compaction") === 1 &&
    countOf(answer, "text") === 1 &&
    !isString(infoOf(request)["system"])
  );
}

function countOf({ parts }: JsonRecord, type: string): number {
  return Array.isArray(parts) ? parts.filter((part) => isObject(part) && part["type"] === type).length : 0;
}

export function readCompaction(
  request: JsonRecord,
  answer: JsonRecord,
  at: readonly [string, string],
  before: Before,
): CompactionMessage {
  const info = infoOf(request);
  const created = createdIn(info);
  const requestParts = partsOf(request, at[0], ({ type }) => type !== "compaction");
  const answerParts = partsOf(answer, at[1], ({ type }) => type !== "text");
  const [mark, text] = [only(requestParts.others), only(answerParts.others)];
  const { tail_start_id: tail } = mark.part;
  const message: CompactionMessage = {
    role: "compaction",
    summary: isString(text.part["text"]) ? text.part["text"] : "",
    ...(isString(tail) ? { firstKeptId: tail } : {}),
    timestamp: created ?? 0,
    ...(isString(info["id"]) ? { id: info["id"] } : {}),
  };
  const synthesised = created === undefined ? ["/timestamp"] : [];
  const ours = userInfo({ ...message, ...extWith({}, synthesised) }, [], before, undefined);
  const answerOurs = answerInfoOf(request, ours);
  const answerFrame = partFrame(infoOf(answer), answerOurs, text.place);
  const answerNotes: JsonObject = {
    ...differencesOf(withoutParts(answer), { info: answerOurs }),
    ...keptNotes(answerParts.kept),
    ...nested("part", differencesOf(text.part, summaryPart(message.summary, answerFrame))),
  };
  const notes = {
    ...differencesOf(withoutParts(request), { info: ours }),
    ...keptNotes(requestParts.kept),
    ...nested("part", differencesOf(mark.part, compactionPart(message, partFrame(info, ours, mark.place)))),
    ...nested("answer", answerNotes),
  };
  return { ...message, ...extWith(notes, synthesised) };
}

/** `isCompaction` has counted them. */
function only([first]: readonly KeptPart[]): KeptPart {
  return first ?? { place: 0, part: {} };
}
