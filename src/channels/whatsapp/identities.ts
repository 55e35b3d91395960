import type { SignalKeyStore } from "baileys";
import type { Baileys } from "./client.js";
import { bareJid, isLid, isNumber } from "./jid.js";
import { JsonFiles } from "./json-files.js";

const NUMBER = "@s.whatsapp.net";
const LID = "@lid";

/** The ids of a person, first the one that their conversation has. */
export type Ids = readonly [string, ...string[]];

/**
 * Who is one person: WhatsApp has two ids for everybody, by phone number and the `…@lid` that hides it, and messages often tell only
 * one. Baileys keeps the pairs that it hears of with the keys of the device. Here it is kept who talked to us before the number was
 * known: their conversation stays the one of their `…@lid`.
 */
export class Identities {
  readonly #files: JsonFiles;
  readonly #keys: Pick<SignalKeyStore, "get">;
  readonly #lidFirst: Set<string>;

  private constructor(files: JsonFiles, keys: Pick<SignalKeyStore, "get">, begun: Set<string>) {
    this.#files = files;
    this.#keys = keys;
    this.#lidFirst = begun;
  }

  static async open(
    baileys: Baileys,
    folder: string,
    keys: Pick<SignalKeyStore, "get">,
  ): Promise<Identities> {
    const files = await JsonFiles.open(folder, baileys.BufferJSON);
    return new Identities(files, keys, new Set(await files.names()));
  }

  /** Fulfilled when what has to be remembered of it is on disk. */
  async idsOf(ids: readonly string[], isDirect: boolean): Promise<Ids | undefined> {
    const told = { number: ids.find(isNumber), lid: ids.find(isLid) };
    const number = told.number ?? (told.lid && (await this.#numberOf(told.lid)));
    const lid = told.lid ?? (told.number && (await this.#lidOf(told.number)));
    if (lid === undefined) return number === undefined ? undefined : [number];
    if (number === undefined) {
      if (isDirect) await this.#keepLid(lid);
      return [lid];
    }
    return this.#lidFirst.has(lid) ? [lid, number] : [number, lid];
  }

  /** Fulfilled when everything is written. */
  close(): Promise<void> {
    return this.#files.close();
  }

  /** Numbers are given to other people in time: a pair counts only where both of its sides name each other. */
  async #numberOf(lid: string): Promise<string | undefined> {
    const number = await this.#paired(`${userOf(lid)}_reverse`, NUMBER);
    return number !== undefined && (await this.#paired(userOf(number), LID)) === lid ? number : undefined;
  }

  async #lidOf(number: string): Promise<string | undefined> {
    const lid = await this.#paired(userOf(number), LID);
    const back = lid && (await this.#paired(`${userOf(lid)}_reverse`, NUMBER));
    return back === number ? lid : undefined;
  }

  async #paired(name: string, server: string): Promise<string | undefined> {
    const { [name]: user } = await this.#keys.get("lid-mapping", [name]);
    return typeof user === "string" ? bareJid(`${user}${server}`) : undefined;
  }

  async #keepLid(lid: string): Promise<void> {
    if (this.#lidFirst.has(lid)) return;
    await this.#files.write(lid, { id: lid });
    this.#lidFirst.add(lid);
  }
}

function userOf(jid: string): string {
  return jid.slice(0, jid.lastIndexOf("@"));
}
