import type { OpenJournal } from "../../src/gateway/channels/account-journal.js";
import { JournalFile } from "../../src/log/files/journal-file.js";

/** Opens an account's journal at a path, without a store. */
export function journalAt(path: string): OpenJournal {
  return (options) => JournalFile.open({ ...options, path });
}
