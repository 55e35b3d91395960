import { isObject, type JsonObject } from "../../core/json/value.js";

/**
 * Ids for the calls of a request that have none, and the calls that results without an id answer: those of their name,
 * in order. The same request always gets the same ids.
 */
export class CallIds {
  readonly #taken: Set<string>;
  /** Calls without a result so far. */
  readonly #waiting: { id: string; name: string }[] = [];
  #count = 0;

  constructor(parts: readonly JsonObject[]) {
    this.#taken = new Set(parts.flatMap(idOf));
  }

  ofCall(id: string | undefined, name: string): string {
    const own = id ?? this.#make();
    this.#waiting.push({ id: own, name });
    return own;
  }

  ofResult(id: string | undefined, name: string): string {
    const at = this.#waiting.findIndex((call) => (id === undefined ? call.name === name : call.id === id));
    const [call] = at < 0 ? [] : this.#waiting.splice(at, 1);
    return id ?? call?.id ?? this.#make();
  }

  #make(): string {
    let id = `call_${++this.#count}`;
    while (this.#taken.has(id)) id = `call_${++this.#count}`;
    return id;
  }
}

function idOf({ functionCall, functionResponse }: JsonObject): string[] {
  return [functionCall, functionResponse].flatMap((value) =>
    isObject(value) && typeof value["id"] === "string" ? [value["id"]] : [],
  );
}
