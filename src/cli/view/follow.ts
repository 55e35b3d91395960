import { onAbort } from "../../core/async/on-abort.js";
import { SessionTail } from "../../runtime/tail/session-tail.js";
import { usageError } from "../arguments.js";
import { openOutput } from "../files/output.js";
import { isShown } from "../sessions/is-shown.js";
import { openSession } from "../sessions/open-session.js";
import { MessagePrinter } from "../sessions/print-message.js";
import { painter, wantsColour } from "../terminal/colour.js";
import { columnsOf } from "../terminal/columns.js";
import { reportLine } from "../terminal/report-line.js";
import { onFirstSignal } from "../terminal/signals.js";

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
  const tail = await SessionTail.open(path, dialect, { isWanted: isShown, last });
  onAbort(signal, () => tail.close());
  const output = await openOutput("-");
  const printNew = async (limit: number) => {
    for (const { message, continues } of await tail.read(limit)) {
      await output.write(continues ? printer.printRest(message) : printer.print(message));
    }
  };
  await printNew(last);
  reportLine(`following ${path}; Ctrl-C ends it`);
  while (!signal.aborted) {
    await tail.changed();
    await printNew(Number.POSITIVE_INFINITY);
  }
  return 0;
}
