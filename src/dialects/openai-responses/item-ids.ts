import type { Loss } from "../../core/types.js";

const LONGEST = 64;

/** Checks the item ids of one request. Compatible servers create ids that this API refuses; they are not sent. */
export class ItemIds {
  readonly #sent = new Set<string>();

  accept(id: string, prefix: "msg" | "fc", at: string, report: (loss: Loss) => void): boolean {
    const why = this.#refusal(id, prefix);
    this.#sent.add(id);
    if (why === undefined) return true;
    report({ at, what: `the item id "${id}"`, why, severity: "dropped" });
    return false;
  }

  #refusal(id: string, prefix: string): string | undefined {
    if (!id.startsWith(`${prefix}_`)) return `this API requires this id to start with "${prefix}_"`;
    if (id.length > LONGEST) return `this API accepts ids of at most ${LONGEST} characters`;
    return this.#sent.has(id) ? "this API accepts an id only once" : undefined;
  }
}
