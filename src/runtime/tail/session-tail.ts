import { leafRoleOf } from "../../convert/leaf.js";
import type { Dialect } from "../../core/dialect.js";
import type { AgentMessage } from "../../core/types.js";
import { systemCode } from "../../log/files/disk-error.js";
import { FileChanges } from "../../log/files/file-changes.js";
import { type Beginning, type FileTail, tailFile } from "./file-tail.js";
import { NewMessages } from "./new-messages.js";

/** A message that was added, or the blocks that were added to the last one. */
export interface AddedMessage {
  message: AgentMessage;
  continues: boolean;
}

/** Follows the main conversation in a file that another program writes. */
export class SessionTail {
  readonly #tail: FileTail;
  readonly #isWanted: (message: AgentMessage) => boolean;
  readonly #changes: FileChanges;
  readonly #closing = new AbortController();
  readonly #news = new NewMessages();

  private constructor(
    tail: FileTail,
    files: readonly string[],
    isWanted: (message: AgentMessage) => boolean,
  ) {
    this.#tail = tail;
    this.#isWanted = isWanted;
    this.#changes = new FileChanges(files, this.#closing.signal);
  }

  static async open(path: string, dialect: Dialect, beginning: Beginning): Promise<SessionTail> {
    // Messages of sub-agents are not part of the conversation that is followed.
    const isWanted = (message: AgentMessage) =>
      beginning.isWanted(message) && leafRoleOf(message, dialect) !== "aside";
    const tail = tailFile(path, dialect, { ...beginning, isWanted });
    return new SessionTail(tail, await tail.files(), isWanted);
  }

  /** What was added since the last call, and at most the last `limit` of it. */
  async read(limit = Number.POSITIVE_INFINITY): Promise<AddedMessage[]> {
    this.#changes.reset();
    const added = await this.#tail.read().catch(ignoreMissing);
    if (added === undefined) return [];
    return this.#news
      .accept(added)
      .filter(({ message }) => this.#isWanted(message))
      .slice(-limit)
      .map(({ message, isContinued }) => ({ message, continues: isContinued }));
  }

  /** Fulfilled when the files have changed since the last `read`, or the tail is closed. */
  changed(): Promise<void> {
    return this.#changes.wait();
  }

  close(): void {
    this.#closing.abort();
    this.#changes.stop();
  }
}

/** A file is missing for a moment while a program replaces it. */
function ignoreMissing(error: unknown): undefined {
  if (systemCode(error) !== "ENOENT") throw error;
}
