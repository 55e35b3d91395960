import { rmSync } from "node:fs";

const paths = new Set<string>();
/** The exit codes that shells report for these signals. */
const signals = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Removes the file on exit or signal, unless `keepFile` is called. Call it before creating the file. */
export function removeOnExit(path: string): void {
  listen();
  paths.add(path);
}

export function keepFile(path: string): void {
  paths.delete(path);
}

let listening = false;

function listen(): void {
  if (listening) return;
  listening = true;
  process.on("exit", () => {
    for (const path of paths) rmSync(path, { force: true });
  });
  for (const [signal, code] of Object.entries(signals)) process.once(signal, () => process.exit(code));
}
