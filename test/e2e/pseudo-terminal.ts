import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { main } from "./run-cli.js";
import { TerminalScreen } from "./terminal-screen.js";

const bridge = fileURLToPath(new URL("pseudo-terminal.py", import.meta.url));

export const hasPython = spawnSync("python3", ["-c", "import pty"]).status === 0;

export interface PseudoTerminal {
  type(text: string): void;
  /** Fulfilled when the screen, with what has scrolled away, contains the text. */
  until(text: string): Promise<void>;
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
  let waiting: { text: string; found: () => void }[] = [];
  const look = () => {
    const text = screen.text();
    waiting = waiting.filter((one) => {
      const isThere = text.includes(one.text);
      if (isThere) one.found();
      return !isThere;
    });
  };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    raw += text;
    screen.write(text);
    look();
  });
  child.stderr.pipe(process.stderr);
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return {
    type: (text) => child.stdin.write(text),
    until: (text) =>
      new Promise((found, fail) => {
        waiting.push({ text, found });
        ended.then(() =>
          fail(new Error(`it ended without showing ${JSON.stringify(text)}:\n${screen.text()}`)),
        );
        look();
      }),
    screen,
    raw: () => raw,
    ended,
  };
}
