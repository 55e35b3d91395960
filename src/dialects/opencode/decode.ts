import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { unexpected } from "../../core/records/unexpected.js";
import { readAnswer } from "./decode-answer.js";
import { isCompaction, readCompaction } from "./decode-compaction.js";
import { readUser } from "./decode-user.js";
import { type Before, beforeOf, modelOf } from "./frame.js";
import { decodeHeader } from "./header.js";
import { isHeader, roleOf } from "./wire.js";

export function decode(unit: readonly JsonRecord[], last?: JsonRecord): Decoded[] {
  const decoded: Decoded[] = [];
  for (let index = 0; index < unit.length; index++) {
    const [record, next] = [unit[index], unit[index + 1]];
    if (record === undefined) continue;
    const before = beforeOf(unit[index - 1] ?? last);
    const at = `/${index}`;
    if (isHeader(record)) decoded.push(decodeHeader(record, index));
    else if (isCompaction(record, next)) {
      const places = [at, `/${index + 1}`] as const;
      decoded.push({ message: readCompaction(record, next, places, before), record: index });
      index++;
    } else {
      for (const message of readMessage(record, next, at, before)) decoded.push({ message, record: index });
    }
  }
  return decoded;
}

function readMessage(record: JsonRecord, next: JsonRecord | undefined, at: string, before: Before) {
  const role = roleOf(record);
  switch (role) {
    case "user":
      return readUser(
        record,
        at,
        before,
        roleOf(next ?? {}) === "assistant" ? modelOf(next ?? {}) : undefined,
      );
    case "assistant":
      return readAnswer(record, at, before);
    default:
      throw unexpected(`${at}/info/role`, '"user" or "assistant"', role);
  }
}
