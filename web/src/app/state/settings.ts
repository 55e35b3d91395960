import type { DragomanClient, Params, Result } from "dragoman/client";
import { DragomanError, isObject } from "dragoman/core";
import { errorText } from "./plain-words.js";
import { Store } from "./store.js";

export type Provider = Result<"providers.list">["providers"][number];
export type Token = Result<"tokens.list">["tokens"][number];
export type People = Result<"channels.people">;
export type Change = Params<"config.set">["changes"][number];

/** The names of the objects around a setting, and its own. */
export type SettingPath = readonly string[];

export interface Settings {
  config: unknown;
  path: string;
  providers: readonly Provider[];
  tokens: readonly Token[];
  people: People;
}

/** What is wrong with a change, and at which setting. */
export interface SettingProblem {
  /** A JSON pointer. */
  at?: string;
  text: string;
}

/** The gateway's settings. They are those of `config.json`. */
export class SettingsStore {
  /** Undefined until they are loaded. */
  readonly state = new Store<Settings | undefined>(undefined);
  readonly #client: DragomanClient;
  readonly #onSaved: () => Promise<void>;

  constructor(client: DragomanClient, onSaved: () => Promise<void>) {
    this.#client = client;
    this.#onSaved = onSaved;
  }

  async load(): Promise<void> {
    const [{ config, path }, { providers }, { tokens }, people] = await Promise.all([
      this.#client.call("config.get", {}),
      this.#client.call("providers.list", {}),
      this.#client.call("tokens.list", {}),
      this.#client.call("channels.people", {}),
    ]);
    this.state.set({ config, path, providers, tokens, people });
  }

  /** Makes the changes together; returns what is wrong with them, if anything is. */
  async save(changes: readonly Change[]): Promise<SettingProblem | undefined> {
    try {
      await this.#client.call("config.set", { changes: [...changes] });
      await Promise.all([this.load(), this.#onSaved()]);
      return undefined;
    } catch (error) {
      return problemOf(error);
    }
  }
}

/** The value of a setting; undefined if it is not set. */
export function settingAt(config: unknown, path: SettingPath): unknown {
  return path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), config);
}

/** The names in an object of settings. */
export function namesAt(config: unknown, path: SettingPath): string[] {
  const value = settingAt(config, path);
  return isObject(value) ? Object.keys(value) : [];
}

export function problemOf(error: unknown): SettingProblem {
  const data = error instanceof DragomanError ? error.details?.["data"] : undefined;
  const { at, hint } = isObject(data) ? data : {};
  const text = [errorText(error), ...(typeof hint === "string" ? [`${hint}.`] : [])].join(" ");
  return { text, ...(typeof at === "string" ? { at } : {}) };
}
