import { rmSync } from "node:fs";
import { exitCodes } from "../terminal/signals.js";

/** Files to remove, with what closes them. */
const paths = new Map<string, () => void>();
let listening = false;

/**
 * Removes the file on exit or signal, unless `keepFile` is called. Call it before creating the file. `close` is for a process
 * that continues after a command, such as one that tests commands.
 */
export function removeOnExit(path: string, close: () => void = () => undefined): void {
  paths.set(path, close);
  if (listening) return;
  listening = true;
  process.on("exit", () => {
    for (const [left, closeFile] of paths) {
      closeFile();
      rmSync(left, { force: true });
    }
    paths.clear();
  });
  for (const [signal, code] of Object.entries(exitCodes)) process.once(signal, () => process.exit(code));
}

export function keepFile(path: string): void {
  paths.delete(path);
}
