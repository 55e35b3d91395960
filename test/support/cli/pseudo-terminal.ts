import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { main } from "./run-cli.js";
import { TerminalScreen } from "./terminal-screen.js";

const bridge = fileURLToPath(new URL("pseudo-terminal.py", import.meta.url));
/** The last lines of the screen of a chat that waits for input: the prompt, and model, context and cost. */
const PROMPT = /(?:^|\n)›[^\n]*(?:\n\S+ · [^\n]*)?$/;

export const hasPython = spawnSync("python3", ["-c", "import pty"]).status === 0;

export interface PseudoTerminal {
  type(text: string): void;
  /** Fulfilled when the screen, with what has scrolled away, contains the text. */
  until(text: string): Promise<void>;
  /** Fulfilled when the screen no longer contains the text. */
  untilGone(text: string): Promise<void>;
  screen: TerminalScreen;
  /** Everything that was sent to the terminal. */
  raw(): string;
  ended: Promise<number | null>;
}

/** The built command line in a terminal of its own. */
export function openTerminal(
  args: readonly string[],
  {
    columns = 80,
    rows = 24,
    env = {},
    cwd = ".",
  }: { columns?: number; rows?: number; env?: NodeJS.ProcessEnv; cwd?: string } = {},
): PseudoTerminal {
  const screen = new TerminalScreen(columns, rows);
  const child = spawn("python3", [bridge, `${columns}`, `${rows}`, process.execPath, main, ...args], {
    cwd,
    env: { ...process.env, TERM: "xterm-256color", ...env },
  });
  let raw = "";
  let waiting: { isMet(text: string): boolean; resolve(): void }[] = [];
  const look = () => {
    const text = screen.text();
    waiting = waiting.filter((one) => {
      const isMet = one.isMet(text);
      if (isMet) one.resolve();
      return !isMet;
    });
  };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    raw += text;
    screen.write(text);
    look();
  });
  child.stderr.pipe(process.stderr);
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  /** Fails with the screen, well before the test runner gives up without a word. */
  const when = (expectation: string, isMet: (text: string) => boolean) =>
    new Promise<void>((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`${why} ${expectation}:\n${screen.text()}`));
      const timer = setTimeout(() => fail("in 45 s the terminal did not"), 45_000);
      waiting.push({
        isMet,
        resolve: () => {
          clearTimeout(timer);
          resolve();
        },
      });
      void ended.then(() => {
        clearTimeout(timer);
        fail("the program ended and did not");
      });
      look();
    });
  return {
    type: (text) => child.stdin.write(text),
    until: (text) => when(`show ${JSON.stringify(text)}`, (shown) => shown.includes(text)),
    // While the program repaints, what is below the transcript is briefly absent: the prompt has to be back.
    untilGone: (text) =>
      when(
        `remove ${JSON.stringify(text)}`,
        (shown) => !shown.includes(text) && PROMPT.test(shown.trimEnd()),
      ),
    screen,
    raw: () => raw,
    ended,
  };
}
