import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { DragomanError } from "../../core/error.js";

/** Prompts for a line without echo. */
export function askHidden(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // After echo is off.
  process.stderr.write(question);
  return new Promise((resolve, reject) => {
    lines.once("line", (line) => {
      resolve(line.trim());
      lines.close();
    });
    lines.once("SIGINT", () => lines.close());
    lines.once("close", () => {
      process.stderr.write("\n");
      reject(new DragomanError("cli/usage", "nothing was entered", { hint: "nothing was changed" }));
    });
  });
}

export async function secretFromInput(): Promise<string> {
  return (await text(process.stdin)).trim();
}
