import { rmSync } from "node:fs";

const paths = new Set<string>();
/** What a shell reports for a program that died of it. */
const signals = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** The file goes away when the program ends, however it ends, unless it is kept. Say so before it is made. */
export function removeAtEnd(path: string): void {
  listen();
  paths.add(path);
}

export function keep(path: string): void {
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
