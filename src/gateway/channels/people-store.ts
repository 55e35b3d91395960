import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { approve, removePerson, requestPairing, stillPending } from "../../channels/pairing.js";
import type { ApprovedPerson, Pending, People } from "../../channels/people-schema.js";
import type { ChannelName } from "../../channels/registry.js";
import type { ChannelOptions, Person } from "../../channels/types.js";
import { DragomanError, wordsOf } from "../../core/error.js";
import { parseJson } from "../../core/json/parse.js";
import type { Cell, Store } from "../../log/store.js";
import type { Lease } from "../../log/types.js";
import { readPeople } from "./read-record.js";

/** The name of an account in the store: of the lease to connect as the account, and the first part of what it keeps. */
export function accountName(channel: ChannelName, account: string): string {
  return `channels/${channel}/${account}`;
}

/** An account's folder. */
export function accountFolder(home: string, channel: ChannelName, account: string): string {
  return join(home, accountName(channel, account));
}

/** What the platform's client keeps, such as keys. */
export function clientValues(
  store: Pick<Store, "values">,
  under: Lease,
  channel: ChannelName,
  account: string,
): ChannelOptions<unknown>["values"] {
  const name = `${accountName(channel, account)}/own`;
  return (group) => store.values(group === undefined ? name : `${name}/${group}`, under);
}

/**
 * An account's approved and pending people: `people.json` in its folder. The gateway and the command line both change it and see
 * each other's changes on the next read.
 */
export class PeopleStore {
  readonly path: string;
  readonly #file: Cell<People>;
  readonly #now: () => number;

  constructor(
    store: Pick<Store, "cell">,
    channel: ChannelName,
    account: string,
    now: () => number = Date.now,
  ) {
    this.#now = now;
    this.#file = store.cell<People>(`${accountName(channel, account)}/people`, {
      empty: { approved: [], pending: [] },
      parse: parsePeople,
      print: (people) => `${JSON.stringify({ version: 1, ...people }, null, 2)}\n`,
      refuse: unusable,
    });
    this.path = this.#file.where;
  }

  async approved(): Promise<readonly ApprovedPerson[]> {
    return (await this.#file.read()).approved;
  }

  async pending(): Promise<readonly Pending[]> {
    return stillPending(await this.#file.read(), this.#now());
  }

  /** The pairing code to send in reply to a stranger's message; undefined for no reply. */
  async requestCode(sender: Person, message: string): Promise<string | undefined> {
    let code: string | undefined;
    await this.#file.change((people) => {
      const requested = requestPairing(people, { sender, message, now: this.#now(), random: randomBytes });
      code = requested.code;
      return requested.people;
    });
    return code;
  }

  /** Approves the person with this code; undefined if the code is unknown or expired. */
  async approve(code: string, owner: boolean): Promise<ApprovedPerson | undefined> {
    let person: ApprovedPerson | undefined;
    await this.#file.change((people) => {
      const approved = approve(people, code, { now: this.#now(), owner });
      person = approved?.person;
      return approved?.people ?? people;
    });
    return person;
  }

  /** False if no approved or pending person has this id. */
  async remove(id: string): Promise<boolean> {
    let found = false;
    await this.#file.change((people) => {
      found = [...people.approved, ...people.pending].some((person) => person.id === id);
      return found ? removePerson(people, id) : people;
    });
    return found;
  }
}

const HINT = "repair the file, or move it away and approve people again";

function parsePeople(text: string, path: string): People {
  const people = readPeople(parsed(text, path));
  if (people !== undefined) return people;
  throw unusable(path, "it is not a valid people file", HINT);
}

function parsed(text: string, path: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw unusable(path, wordsOf(error), HINT);
  }
}

function unusable(path: string, reason: string, hint: string): DragomanError {
  return new DragomanError("channel/bad-people", `"${path}" cannot be used: ${reason}`, { hint });
}
