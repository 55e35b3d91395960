import type { Loss } from "../../core/types.js";

const LONGEST = 64;

/** The ids of the items of one request. Servers that imitate this API make ids that it refuses; items go without those. */
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
    if (!id.startsWith(`${prefix}_`)) return `this API accepts only ids that begin with "${prefix}_" here`;
    if (id.length > LONGEST) return `this API accepts ids of at most ${LONGEST} characters`;
    return this.#sent.has(id) ? "this API accepts an id only once" : undefined;
  }
}
