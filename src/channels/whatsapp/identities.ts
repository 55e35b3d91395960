import type { SignalKeyStore } from "baileys";
import type { KeptValues } from "../types.js";
import type { Baileys } from "./client.js";
import { bareJid, isLid, isNumber } from "./jid.js";
import { JsonValues } from "./json-values.js";

const NUMBER = "@s.whatsapp.net";
const LID = "@lid";

/** A person's ids; the first is the one their conversation uses. */
export type Ids = readonly [string, ...string[]];

/**
 * Matches people's two WhatsApp ids: the phone number, and the `…@lid` that hides it. Messages often contain only one. Baileys
 * stores the pairs it learns with the device's keys. This class stores who wrote to us before their number was known: their
 * conversation keeps using the `…@lid`.
 */
export class Identities {
  readonly #values: JsonValues;
  readonly #keys: Pick<SignalKeyStore, "get">;
  readonly #lidFirst: Set<string>;

  private constructor(values: JsonValues, keys: Pick<SignalKeyStore, "get">, begun: Set<string>) {
    this.#values = values;
    this.#keys = keys;
    this.#lidFirst = begun;
  }

  static async open(
    baileys: Baileys,
    kept: KeptValues,
    keys: Pick<SignalKeyStore, "get">,
  ): Promise<Identities> {
    const values = new JsonValues(kept, baileys.BufferJSON);
    return new Identities(values, keys, new Set(await values.names()));
  }

  /** Completes a person's ids. Resolves when what must be remembered is on disk. */
  async idsOf(ids: readonly string[], isDirect: boolean): Promise<Ids | undefined> {
    const given = { number: ids.find(isNumber), lid: ids.find(isLid) };
    const number = given.number ?? (given.lid && (await this.#numberOf(given.lid)));
    const lid = given.lid ?? (given.number && (await this.#lidOf(given.number)));
    if (lid === undefined) return number === undefined ? undefined : [number];
    if (number === undefined) {
      if (isDirect) await this.#keepLid(lid);
      return [lid];
    }
    return this.#lidFirst.has(lid) ? [lid, number] : [number, lid];
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#values.close();
  }

  /** Phone numbers get reassigned, so a pair counts only if both sides name each other. */
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
    await this.#values.write(lid, { id: lid });
    this.#lidFirst.add(lid);
  }
}

function userOf(jid: string): string {
  return jid.slice(0, jid.lastIndexOf("@"));
}
