import { leafRoleOf } from "../../convert/leaf.js";
import type { AgentMessage } from "../../core/types.js";
import { systemCode } from "../../log/files/disk-error.js";
import { FileChanges } from "../../log/files/file-changes.js";
import { usageError } from "../arguments.js";
import { openOutput } from "../files/output.js";
import { isShown } from "../sessions/is-shown.js";
import { openSession } from "../sessions/open-session.js";
import { MessagePrinter } from "../sessions/print-message.js";
import { painter, wantsColour } from "../terminal/colour.js";
import { columnsOf } from "../terminal/columns.js";
import { reportLine } from "../terminal/report-line.js";
import { onFirstSignal } from "../terminal/signals.js";
import { tailFile } from "./file-tail.js";
import { NewMessages } from "./new-messages.js";

const FIRST_MESSAGES = 10;

export interface FollowOptions {
  from?: string | undefined;
  home?: string | undefined;
  source?: string | undefined;
  last?: number | undefined;
  thinking?: boolean | undefined;
  "no-color"?: boolean;
}

/** Prints the end of a session, and then its messages as they are written, until a signal. */
export async function followSession(name: string, options: FollowOptions): Promise<number> {
  const { input, dialect } = await openSession(name, options);
  const { path } = input;
  input.close();
  if (path === undefined || !input.rereadable) throw usageError("--follow needs a file or a session");
  const stopping = new AbortController();
  onFirstSignal(() => stopping.abort());
  const { signal } = stopping;

  const printer = new MessagePrinter({
    paint: painter(wantsColour(process.stdout, process.env, options["no-color"])),
    columns: columnsOf(process.stdout),
    thinking: options.thinking === true,
    ids: false,
    losses: false,
  });
  const { last = FIRST_MESSAGES } = options;
  // Messages of sub-agents are not part of the conversation that is followed.
  const isWanted = (message: AgentMessage) => isShown(message) && leafRoleOf(message, dialect) !== "aside";
  const tail = tailFile(path, dialect, { isWanted, last });
  const news = new NewMessages();
  const output = await openOutput("-");
  const printNew = async (limit: number) => {
    const added = await tail.read().catch(ignoreMissing);
    const found = added === undefined ? [] : news.accept(added).filter(({ message }) => isWanted(message));
    for (const { message, isContinued } of found.slice(-limit)) {
      await output.write(isContinued ? printer.printRest(message) : printer.print(message));
    }
  };

  const changes = new FileChanges(await tail.files(), signal);
  try {
    await printNew(last);
    reportLine(`following ${path}; Ctrl-C ends it`);
    while (!signal.aborted) {
      await changes.wait();
      changes.reset();
      await printNew(Number.POSITIVE_INFINITY);
    }
  } finally {
    changes.stop();
  }
  return 0;
}

/** A file is missing for a moment while a program replaces it. */
function ignoreMissing(error: unknown): undefined {
  if (systemCode(error) !== "ENOENT") throw error;
}
