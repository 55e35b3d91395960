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

/** Where everything is that belongs to one account of a platform. */
export function accountFolder(home: string, channel: ChannelName, account: string): string {
  return join(home, "channels", channel, account);
}

/** A folder in it for what the platform's client has to remember, such as keys. */
export function clientFolder(home: string, channel: ChannelName, account: string): string {
  return join(accountFolder(home, channel, account), "own");
}

/** Whoever holds this lock of the home is connected as the account; there can be one only. */
export function accountLock(channel: ChannelName, account: string): string {
  return `desk.${account}.${channel}`;
}

/**
 * Who was let in to an account, and who asks for it: `people.json` in its folder. The gateway and the command line both change
 * it; what one did is there for the other with the next question.
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
      // Locks have names that begin with others' names; those of platforms are ours, so that none ends like that.
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

  /** The code to tell a stranger in answer to this message; undefined when they are told nothing. */
  async requestCode(sender: Person, message: string): Promise<string | undefined> {
    let code: string | undefined;
    await this.#file.change((people) => {
      const asked = requestPairing(people, { sender, message, now: this.#now(), random: randomBytes });
      code = asked.code;
      return asked.people;
    });
    return code;
  }

  /** Lets in whoever has this code; undefined when nobody has. */
  async approve(code: string, owner: boolean): Promise<ApprovedPerson | undefined> {
    let person: ApprovedPerson | undefined;
    await this.#file.change((people) => {
      const approved = approve(people, code, { now: this.#now(), owner });
      person = approved?.person;
      return approved?.people ?? people;
    });
    return person;
  }

  /** False when nobody of this id was approved or waits. */
  async remove(id: string): Promise<boolean> {
    let found = false;
    await this.#file.change((people) => {
      found = [...people.approved, ...people.pending].some((person) => person.id === id);
      return found ? removePerson(people, id) : people;
    });
    return found;
  }
}

function parsePeople(text: string, path: string): People {
  const people = readPeople(parsed(text, path));
  if (people !== undefined) return people;
  throw unusable(path, "it holds something else than people", "mend it, or move it away and approve anew");
}

function parsed(text: string, path: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw unusable(path, wordsOf(error), "mend it, or move it away and approve anew");
  }
}

function unusable(path: string, reason: string, hint: string): DragomanError {
  return new DragomanError("channel/bad-people", `"${path}" cannot be used: ${reason}`, { hint });
}
