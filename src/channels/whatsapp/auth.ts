import type { AuthenticationState, SignalDataSet, SignalDataTypeMap, SignalKeyStore } from "baileys";
import { DragomanError } from "../../core/error.js";
import type { Baileys } from "./client.js";
import { JsonFiles } from "./json-files.js";

const CREDS = "creds";

export interface Auth {
  state: AuthenticationState;
  /** To be called when `creds` have changed. */
  save(): Promise<void>;
  /** Fulfilled when everything is written. Baileys goes on for a while after its connection, with keys that nobody saw. */
  close(): Promise<void>;
}

/**
 * The keys of a linked device: a small file each, only for its owner, which is replaced whole. Baileys has the like of it, which
 * overwrites in place, and takes a file it cannot read for one that is not there: both lose the device.
 */
export async function openAuth(baileys: Baileys, folder: string): Promise<Auth> {
  const files = await JsonFiles.open(folder, baileys.BufferJSON);
  const creds = (await files.read(CREDS)) ?? baileys.initAuthCreds();
  const keys: SignalKeyStore = {
    get: async <T extends keyof SignalDataTypeMap>(type: T, ids: string[]) => {
      const found: { [id: string]: SignalDataTypeMap[T] } = {};
      for (const id of ids) {
        // A key that is gone is agreed on again; one that cannot be read would be in the way for ever.
        const value = await files.read(`${type}-${id}`).catch(absentIfDamaged);
        if (value === undefined) continue;
        found[id] =
          type === "app-state-sync-key" ? baileys.proto.Message.AppStateSyncKeyData.fromObject(value) : value;
      }
      return found;
    },
    set: async (data: SignalDataSet) => {
      for (const [type, values] of Object.entries(data)) {
        for (const [id, value] of Object.entries(values)) await files.write(`${type}-${id}`, value);
      }
    },
  };
  return { state: { creds, keys }, save: () => files.write(CREDS, creds), close: () => files.close() };
}

function absentIfDamaged(error: unknown): undefined {
  if (!(error instanceof DragomanError)) throw error;
}
