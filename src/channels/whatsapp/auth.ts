import type { AuthenticationState, SignalDataSet, SignalDataTypeMap, SignalKeyStore } from "baileys";
import { DragomanError } from "../../core/error.js";
import type { KeptValues } from "../types.js";
import type { Baileys } from "./client.js";
import { JsonValues } from "./json-values.js";

const CREDS = "creds";

export interface Auth {
  state: AuthenticationState;
  /** Call after `creds` changed. */
  save(): Promise<void>;
  /** Resolves when everything is written. Baileys still writes keys for a while after its connection closes; those are dropped. */
  close(): Promise<void>;
}

/**
 * A linked device's keys: a small value for each, replaced atomically. Baileys' own store overwrites in place and treats
 * an unreadable file as missing; both can lose the device.
 */
export async function openAuth(baileys: Baileys, kept: KeptValues): Promise<Auth> {
  const values = new JsonValues(kept, baileys.BufferJSON);
  const creds = (await values.read(CREDS)) ?? baileys.initAuthCreds();
  const keys: SignalKeyStore = {
    get: async <T extends keyof SignalDataTypeMap>(type: T, ids: string[]) => {
      const found: { [id: string]: SignalDataTypeMap[T] } = {};
      for (const id of ids) {
        // A missing key is negotiated again; a damaged one would block the session for ever.
        const value = await values.read(`${type}-${id}`).catch((error: unknown) => {
          if (!(error instanceof DragomanError)) throw error;
        });
        if (value === undefined) continue;
        found[id] =
          type === "app-state-sync-key" ? baileys.proto.Message.AppStateSyncKeyData.fromObject(value) : value;
      }
      return found;
    },
    set: async (data: SignalDataSet) => {
      for (const [type, byId] of Object.entries(data)) {
        for (const [id, value] of Object.entries(byId)) await values.write(`${type}-${id}`, value);
      }
    },
  };
  return { state: { creds, keys }, save: () => values.write(CREDS, creds), close: () => values.close() };
}
