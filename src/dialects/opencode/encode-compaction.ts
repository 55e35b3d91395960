import type { JsonRecord } from "../../core/dialect.js";
import type { JsonObject } from "../../core/json/value.js";
import { emptyUsage } from "../../core/message/usage.js";
import { restore } from "../../core/records/deviation.js";
import type { CompactionMessage } from "../../core/types.js";
import { tokensOf } from "./encode-answer.js";
import { userInfo } from "./encode-user.js";
import {
  type Before,
  createdIn,
  messageId,
  modelOf,
  type PartFrame,
  partFrame,
  UNKNOWN_MODEL,
} from "./frame.js";
import { keptIn, notesOf, objectIn } from "./notes.js";
import { joinParts } from "./parts.js";
import { infoOf } from "./wire.js";

const COMPACTION = "compaction";

/** A request to compact, and the answer with the summary. */
export function compactionRecords(message: CompactionMessage, before: Before): JsonRecord[] {
  const notes = notesOf(message);
  const ours = userInfo(message, [], before, undefined);
  const request = restore({ info: ours }, notes);
  const write = (_: CompactionMessage, place: number) =>
    restore(compactionPart(message, partFrame(infoOf(request), ours, place)), notes["part"]);
  const answer = objectIn(notes["answer"]);
  const summaryInfo = answerInfoOf(request, ours);
  const record = restore({ info: summaryInfo }, answer);
  const writeText = (text: string, place: number) =>
    restore(summaryPart(text, partFrame(infoOf(record), summaryInfo, place)), answer["part"]);
  return [
    { ...request, parts: joinParts([message], keptIn(notes), write) },
    { ...record, parts: joinParts([message.summary], keptIn(answer), writeText) },
  ];
}

export function compactionPart({ firstKeptId }: CompactionMessage, frame: PartFrame): JsonObject {
  const tail = firstKeptId === undefined ? {} : { tail_start_id: messageId(firstKeptId, frame.sessionID) };
  return { ...frame, type: COMPACTION, auto: false, ...tail };
}

export function summaryPart(text: string, frame: PartFrame): JsonObject {
  return { ...frame, type: "text", text };
}

/** The own fields of the answer to a request to compact. */
export function answerInfoOf(request: JsonRecord, ours: JsonObject): JsonObject {
  const info = infoOf(request);
  const { sessionID, messageID: parentID } = partFrame(info, ours, 0);
  const created = Math.trunc(createdIn(info) ?? 0) + 1;
  return {
    id: messageId(`summary ${parentID}`, sessionID),
    sessionID,
    role: "assistant",
    time: { created, completed: created },
    parentID,
    ...(modelOf(request) ?? UNKNOWN_MODEL),
    mode: COMPACTION,
    agent: COMPACTION,
    path: { cwd: "/", root: "/" },
    summary: true,
    cost: 0,
    tokens: tokensOf(emptyUsage()),
    finish: "stop",
  };
}
