import { lossSummary } from "../../core/loss-words.js";
import type { LossRecord } from "../../core/message/notes.js";
import { plain } from "../sessions/plain.js";

/** Reports what a request could not include, and where to see all of it. */
export function lossNotice(record: LossRecord, session: string): string {
  return plain(`${lossSummary(record)}; details: dragoman sessions show ${session} --losses`);
}
