import { rmSync } from "node:fs";
import { exitCodes } from "../terminal/signals.js";

const paths = new Set<string>();
let listening = false;

/** Removes the file on exit or signal, unless `keepFile` is called. Call it before creating the file. */
export function removeOnExit(path: string): void {
  paths.add(path);
  if (listening) return;
  listening = true;
  process.on("exit", () => {
    for (const left of paths) rmSync(left, { force: true });
  });
  for (const [signal, code] of Object.entries(exitCodes)) process.once(signal, () => process.exit(code));
}

export function keepFile(path: string): void {
  paths.delete(path);
}
