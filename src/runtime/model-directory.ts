import { cardOf, type ModelCard } from "../providers/catalogue.js";
import { catalogue } from "../providers/catalogue-data.js";
import { endpoints } from "../providers/endpoints.js";
import { listServed, type ServedModel } from "../providers/list-models.js";
import type { World } from "../providers/world.js";
import { isReady } from "./model-access.js";
import type { Config } from "./schema.js";

/** A model that can be named. */
export interface DirectoryEntry {
  /** `provider/model` */
  name: string;
  card: ModelCard;
  /** Unix milliseconds; absent when not known. */
  created?: number;
}

export interface ListedEntry extends DirectoryEntry {
  /** Whether its provider can be asked: there is a key, or there are credentials, or none are needed. */
  isReady: boolean;
}

type DirectoryWorld = Pick<World, "env" | "fetch" | "now" | "readFile">;

/** A server that does not answer within this time is taken not to run. */
const TIMEOUT_MS = 1500;
/** Lists of providers are asked for again after this time. */
const FRESH_MS = 60_000;

/** The names that are known without asking a provider: aliases, configured models, the catalogue. */
export function knownModelNames({ aliases = {}, models = {} }: Config): string[] {
  return [...new Set([...Object.keys(aliases), ...Object.keys(models), ...Object.keys(catalogue)])];
}

/** Every model that the configuration, the catalogue and the providers themselves know. */
export class ModelDirectory {
  readonly #readConfig: () => Config;
  readonly #world: DirectoryWorld;
  readonly #ready = new Map<string, Promise<boolean>>();
  #served: { until: number; lists: Promise<Map<string, readonly ServedModel[]>> } | undefined;

  constructor(config: () => Config, world: DirectoryWorld) {
    this.#readConfig = config;
    this.#world = world;
  }

  get #config(): Config {
    return this.#readConfig();
  }

  /** All of them, whether they can be used or not: configured ones, the catalogue, the providers' own lists. */
  async list(): Promise<ListedEntry[]> {
    this.#ready.clear();
    const served = await this.#servedLists();
    const { models = {} } = this.#config;
    const known = Object.keys(catalogue).filter((name) => !served.has(providerOf(name)));
    const entries = new Map<string, DirectoryEntry>();
    const add = (name: string, more?: ServedModel) => {
      if (!entries.has(name)) entries.set(name, this.describe(name, more));
    };
    for (const name of Object.keys(models)) add(name);
    for (const name of known) add(name);
    for (const [provider, list] of served) for (const model of list) add(`${provider}/${model.id}`, model);
    return this.withReadiness([...entries.values()]);
  }

  withReadiness<T extends DirectoryEntry>(entries: readonly T[]): Promise<(T & ListedEntry)[]> {
    return Promise.all(
      entries.map(async (entry) => ({ ...entry, isReady: await this.isReady(providerOf(entry.name)) })),
    );
  }

  describe(name: string, { created, contextWindow }: Partial<ServedModel> = {}): DirectoryEntry {
    const provider = providerOf(name);
    const card = cardOf(provider, name.slice(provider.length + 1));
    const time = card.released === undefined ? created : Date.parse(card.released);
    return {
      name,
      card: contextWindow === undefined ? card : { contextWindow, ...card },
      ...(time === undefined ? {} : { created: time }),
    };
  }

  /** Whether a provider can be asked. */
  isReady(provider: string): Promise<boolean> {
    const known = this.#ready.get(provider) ?? isReady(`${provider}/`, { config: this.#config }, this.#world);
    this.#ready.set(provider, known);
    return known;
  }

  /** The lists of the providers that have one and can be asked; of one that does not answer, an empty list. */
  #servedLists(): Promise<Map<string, readonly ServedModel[]>> {
    const now = this.#world.now();
    if (this.#config.gateway?.discover === false) return Promise.resolve(new Map());
    if (this.#served === undefined || this.#served.until <= now) {
      this.#served = { until: now + FRESH_MS, lists: this.#ask() };
    }
    return this.#served.lists;
  }

  async #ask(): Promise<Map<string, readonly ServedModel[]>> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const providers = [...new Set([...Object.keys(endpoints), ...Object.keys(this.#config.providers ?? {})])];
    const lists = await Promise.all(
      providers.map(async (provider): Promise<[string, readonly ServedModel[] | undefined]> => {
        if (!(await this.isReady(provider))) return [provider, undefined];
        const { [provider]: settings = {} } = this.#config.providers ?? {};
        // A provider that is not there has no models; calling one of them says what is wrong.
        return [provider, await listServed(provider, settings, this.#world, signal).catch(() => [])];
      }),
    );
    return new Map(
      lists.flatMap(([provider, list]) => (list === undefined ? [] : [[provider, list] as const])),
    );
  }
}

function providerOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf("/")));
}
