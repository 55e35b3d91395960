import { exitCodes } from "./signals.js";

export interface Progress {
  /** The same bytes, counted from zero on each call. */
  through(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Erases the bar. */
  end(): void;
}

interface Terminal {
  isTTY?: boolean;
  write(text: string): unknown;
}

const BETWEEN_MS = 100;
const BAR_WIDTH = 24;
const CLEAR_LINE = "\r\u001b[K";

/** Shows the reading progress, on terminals only. */
export function progress(terminal: Terminal, total: number | undefined, now = () => Date.now()): Progress {
  const line = changingLine(terminal, now);
  return {
    async *through(source) {
      const since = now();
      let bytes = 0;
      for await (const chunk of source) {
        bytes += chunk.length;
        line.show(() => bar(bytes, total, now() - since));
        yield chunk;
      }
    },
    end: line.end,
  };
}

interface ChangingLine {
  show(text: () => string): void;
  end(): void;
}

/** A line that is updated at most ten times a second and erased at the end. Terminals only. */
export function changingLine(terminal: Terminal, now = () => Date.now()): ChangingLine {
  if (terminal.isTTY !== true) return { show: () => undefined, end: () => undefined };
  let shown = false;
  let last = now();
  const end = () => {
    if (shown) terminal.write(CLEAR_LINE);
    shown = false;
  };
  // The shell's prompt must not follow the line.
  const stop = () => process.exit(exitCodes.SIGINT);
  process.once("SIGINT", stop);
  process.once("exit", end);
  return {
    show(text) {
      if (now() - last < BETWEEN_MS) return;
      last = now();
      shown = true;
      terminal.write(CLEAR_LINE + text());
    },
    end() {
      process.off("SIGINT", stop);
      process.off("exit", end);
      end();
    },
  };
}

/** A shorter time says nothing about the time left. */
const MEASURED_MS = 2_000;

/** `█████████████░░░░░░░░░░░  54%  1.1 GB of 2.0 GB, 8 s left`, or only the bytes if the total is unknown. */
export function bar(bytes: number, total: number | undefined, ms = 0): string {
  if (total === undefined || total === 0) return size(bytes);
  const share = Math.min(bytes / total, 1);
  const full = Math.round(share * BAR_WIDTH);
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  return `${"█".repeat(full)}${"░".repeat(BAR_WIDTH - full)} ${percent}  ${size(bytes)} of ${size(total)}${left(share, ms)}`;
}

function left(share: number, ms: number): string {
  if (ms < MEASURED_MS || share === 0) return "";
  const seconds = Math.ceil((ms * (1 - share)) / share / 1000);
  return seconds < 60 ? `, ${seconds} s left` : `, ${Math.ceil(seconds / 60)} min left`;
}

const units = ["bytes", "kB", "MB", "GB", "TB"];

function size(bytes: number): string {
  const power = Math.min(bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`;
}
