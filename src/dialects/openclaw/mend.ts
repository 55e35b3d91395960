import type { JsonRecord, Mended } from "../../core/dialect.js";
import { mendMessage } from "../../core/message/mend-message.js";

export function mend(line: JsonRecord): Mended | undefined {
  const changes: string[] = [];
  const message = mendMessage(line, changes);
  return changes.length > 0 ? { records: [message], changes } : undefined;
}
