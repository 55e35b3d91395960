import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AuthenticationState, SignalDataSet, SignalDataTypeMap, SignalKeyStore } from "baileys";
import { DragomanError, wordsOf } from "../../core/error.js";
import type { Baileys } from "./client.js";

const CREDS = "creds";

export interface Auth {
  state: AuthenticationState;
  /** To be called when `creds` have changed. */
  save(): Promise<void>;
}

/**
 * The keys of a linked device: a small file each, only for its owner, which is replaced whole. Baileys has the like of it, which
 * overwrites in place, and takes a file it cannot read for one that is not there: both lose the device.
 */
export async function openAuth(baileys: Baileys, folder: string): Promise<Auth> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const files = new Files(folder, baileys.BufferJSON);
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
  return { state: { creds, keys }, save: () => files.write(CREDS, creds) };
}

function absentIfDamaged(error: unknown): undefined {
  if (!(error instanceof DragomanError)) throw error;
}

/** JSON files by name. What is written to one of them is written in order, and read as it was written last. */
class Files {
  readonly #folder: string;
  readonly #json: Baileys["BufferJSON"];
  readonly #writing = new Map<string, Promise<void>>();
  #count = 0;

  constructor(folder: string, json: Baileys["BufferJSON"]) {
    this.#folder = folder;
    this.#json = json;
  }

  async read(name: string) {
    await this.#writing.get(name);
    const path = this.#path(name);
    const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text, this.#json.reviver);
    } catch (error) {
      throw new DragomanError("channel/bad-settings", `${path} is damaged: ${wordsOf(error)}`, {
        hint: "bring it back from a copy, or link the device again: dragoman channels remove whatsapp --files",
      });
    }
  }

  /** Without a value the file goes. */
  write(name: string, value: unknown): Promise<void> {
    const before = this.#writing.get(name) ?? Promise.resolve();
    const text =
      value === null || value === undefined ? undefined : JSON.stringify(value, this.#json.replacer);
    const writing = before.catch(() => undefined).then(() => this.#replace(this.#path(name), text));
    this.#writing.set(name, writing);
    return writing.finally(() => {
      if (this.#writing.get(name) === writing) this.#writing.delete(name);
    });
  }

  async #replace(path: string, text: string | undefined): Promise<void> {
    if (text === undefined) return rm(path, { force: true });
    const unfinished = join(this.#folder, `~${this.#count++}`);
    const file = await open(unfinished, "w", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  }

  /** Ids hold colons and slashes. */
  #path(name: string): string {
    return join(this.#folder, `${encodeURIComponent(name)}.json`);
  }
}
