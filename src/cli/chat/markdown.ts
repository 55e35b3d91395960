import { type TerminalOptions, TerminalWriter } from "../../markdown/terminal.js";
import { SafeText } from "./safe-text.js";

/**
 * Renders untrusted Markdown for a terminal while it streams. Escape sequences in it are removed.
 *
 * @example
 * const markdown = new MarkdownStream({ width: process.stdout.columns, coloured: true });
 * for await (const delta of deltas) process.stdout.write(markdown.push(delta));
 * process.stdout.write(markdown.end());
 */
export class MarkdownStream {
  readonly #safe = new SafeText();
  readonly #writer: TerminalWriter;

  constructor(options: TerminalOptions) {
    this.#writer = new TerminalWriter(options);
  }

  push(delta: string): string {
    return this.#writer.push(this.#safe.push(delta));
  }

  end(): string {
    return this.#writer.push(this.#safe.end()) + this.#writer.end();
  }
}
