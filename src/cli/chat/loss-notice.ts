import { lossSummary } from "../../core/loss-words.js";
import type { LossRecord } from "../../core/message/notes.js";
import { plain } from "../sessions/plain.js";

/** What a request did not carry, the first time it happens, and where the rest is listed. */
export function lossNotice(record: LossRecord, session: string): string {
  return plain(`${lossSummary(record)}; details: dragoman sessions show ${session} --losses`);
}
