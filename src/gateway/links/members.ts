import { DragomanError, wordsOf } from "../../core/error.js";
import { parseJson } from "../../core/json/parse.js";
import { isObject } from "../../core/json/value.js";
import type { Cell, LeaseHolders, Store } from "../../log/store.js";

/** A gateway of a store, as it describes itself. */
export interface Member {
  /** As a holder of leases. */
  id: string;
  /** Where the others reach it. */
  url: string;
  version: string;
  /** Unix milliseconds, by its own clock. */
  started: number;
  /** By section of the configuration: a digest that is equal where the configuration is. */
  config: Readonly<Record<string, string>>;
}

/** The lease that shows that a gateway is alive. */
export function memberLease(id: string): string {
  return `gateways/${id}`;
}

/** The gateways of a store. One that was killed stays listed until another one starts, but is not alive. */
export class Members {
  readonly #cell: Cell<readonly Member[]>;
  readonly #holders: Pick<LeaseHolders, "of">;

  constructor(store: Pick<Store, "cell">, holders: Pick<LeaseHolders, "of">) {
    this.#holders = holders;
    this.#cell = store.cell<readonly Member[]>("gateways", {
      empty: [],
      parse: parseMembers,
      print: (members) => `${JSON.stringify({ version: 1, gateways: members }, null, 2)}\n`,
      refuse: unusable,
    });
  }

  async find(id: string): Promise<Member | undefined> {
    return (await this.#cell.read()).find((member) => member.id === id);
  }

  async living(): Promise<Member[]> {
    const members: Member[] = [];
    for (const member of await this.#cell.read()) {
      if ((await this.#holders.of(memberLease(member.id))) === member.id) members.push(member);
    }
    return members;
  }

  /** Adds a gateway, or replaces its description, and removes the dead ones. */
  async add(member: Member): Promise<void> {
    const living = new Set((await this.living()).map(({ id }) => id));
    await this.#cell.change((members) => [
      ...members.filter(({ id }) => living.has(id) && id !== member.id),
      member,
    ]);
  }

  async remove(id: string): Promise<void> {
    await this.#cell.change((members) => members.filter((member) => member.id !== id));
  }
}

function parseMembers(text: string, where: string): Member[] {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw unusable(where, wordsOf(error), "remove it, and restart the gateways");
  }
  const members = isObject(value) && value["version"] === 1 ? value["gateways"] : undefined;
  if (Array.isArray(members) && members.every(isMember)) return members;
  throw unusable(where, "it does not contain gateways", "remove it, and restart the gateways");
}

function isMember(value: unknown): value is Member {
  if (!isObject(value)) return false;
  const { id, url, version, started, config } = value;
  return (
    [id, url, version].every((text) => typeof text === "string") &&
    typeof started === "number" &&
    isObject(config) &&
    Object.values(config).every((digest) => typeof digest === "string")
  );
}

function unusable(where: string, reason: string, hint: string): DragomanError {
  return new DragomanError("gateway/bad-cluster", `"${where}" cannot be used: ${reason}`, { hint });
}
