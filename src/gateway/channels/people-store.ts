import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { approve, removePerson, requestPairing, stillPending } from "../../channels/pairing.js";
import type { ApprovedPerson, Pending, People } from "../../channels/people-schema.js";
import type { ChannelName } from "../../channels/registry.js";
import type { Person } from "../../channels/types.js";
import { DragomanError, wordsOf } from "../../core/error.js";
import { parseJson } from "../../core/json/parse.js";
import { SharedFile } from "../../log/files/shared-file.js";
import { Locks } from "../../log/locks/lock.js";
import { readPeople } from "./read-record.js";

/** An account's folder. */
export function accountFolder(home: string, channel: ChannelName, account: string): string {
  return join(home, "channels", channel, account);
}

/** The subfolder for the platform client's state, such as keys. */
export function clientFolder(home: string, channel: ChannelName, account: string): string {
  return join(accountFolder(home, channel, account), "own");
}

/** The lock for connecting as the account; only one process may hold it. */
export function accountLock(channel: ChannelName, account: string): string {
  return `desk.${account}.${channel}`;
}

/**
 * An account's approved and pending people: `people.json` in its folder. The gateway and the command line both change it and see
 * each other's changes on the next read.
 */
export class PeopleStore {
  readonly path: string;
  readonly #file: SharedFile<People>;
  readonly #now: () => number;

  constructor(home: string, channel: ChannelName, account: string, now: () => number = Date.now) {
    const path = join(accountFolder(home, channel, account), "people.json");
    this.path = path;
    this.#now = now;
    this.#file = new SharedFile<People>({
      path,
      locks: new Locks(join(home, "locks")),
      // The platform comes last: platform names are ours, so no account name can produce another lock's name.
      lock: `people.${account}.${channel}`,
      empty: { approved: [], pending: [] },
      parse: (text) => parsePeople(text, path),
      print: (people) => `${JSON.stringify({ version: 1, ...people }, null, 2)}\n`,
      refuse: (reason, hint) => unusable(path, reason, hint),
    });
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
