import type { Dialect, JsonRecord } from "../core/dialect.js";
import { isString } from "../core/json/value.js";
import type { AgentMessage } from "../core/types.js";

type Encode = (unit: readonly AgentMessage[]) => JsonRecord[];

/**
 * Keeps records from replacing each other, in a dialect whose records replace earlier ones with the same id. A message whose
 * id is taken is written without it, so the dialect derives another one and the ledger reports the difference.
 */
export class WrittenIds {
  readonly #idOf: ((record: JsonRecord) => string | undefined) | undefined;
  readonly #taken = new Set<string>();

  constructor({ framing }: Dialect) {
    this.#idOf = framing.kind === "frames" ? framing.idOf : undefined;
  }

  /** The records of a unit. */
  encode(unit: readonly AgentMessage[], encode: Encode): JsonRecord[] {
    const written = encode(unit);
    if (this.#idOf === undefined) return written;
    const isTaken = this.#idsIn(written).some((id) => this.#taken.has(id));
    const records = isTaken ? encode(unit.map((message) => this.#withoutTaken(message))) : written;
    for (const id of this.#idsIn(records)) this.#taken.add(id);
    return records;
  }

  #idsIn(records: readonly JsonRecord[]): string[] {
    const idOf = this.#idOf;
    return idOf === undefined ? [] : records.map(idOf).filter(isString);
  }

  #withoutTaken(message: AgentMessage): AgentMessage {
    const { id, ...unnamed } = message;
    return isString(id) && this.#taken.has(id) ? unnamed : message;
  }
}
