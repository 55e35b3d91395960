import { endpoints } from "../providers/endpoints.js";
import { listServed } from "../providers/list-models.js";
import type { World } from "../providers/world.js";
import type { Config } from "./schema.js";

/** The providers whose models the user downloads. */
const pulling = Object.keys(endpoints).filter((name) => endpoints[name]?.pullsModels === true);
const CACHE_MS = 30_000;
/** The server is on this computer or near it. */
const TIMEOUT_MS = 1_000;

/** The models that a provider's server has. */
export interface PulledModels {
  baseUrl: string;
  /** Undefined if the server does not answer. */
  names: readonly string[] | undefined;
}

/** Asks the servers which models they have; remembers the answers for half a minute. */
export class LocalModels {
  readonly #world: Pick<World, "env" | "fetch" | "now">;
  readonly #known = new Map<string, { pulled: Promise<PulledModels>; baseUrl: string; until: number }>();

  constructor(world: Pick<World, "env" | "fetch" | "now">) {
    this.#world = world;
  }

  /** By provider. */
  async list(config: Config): Promise<ReadonlyMap<string, PulledModels>> {
    const asked = pulling.map(async (provider) => [provider, await this.#ask(provider, config)] as const);
    return new Map(await Promise.all(asked));
  }

  #ask(provider: string, { providers }: Config): Promise<PulledModels> {
    const settings = providers?.[provider] ?? {};
    const baseUrl = settings.baseUrl ?? endpoints[provider]?.baseUrls[0] ?? "";
    const now = this.#world.now();
    const known = this.#known.get(provider);
    if (known !== undefined && known.baseUrl === baseUrl && known.until > now) return known.pulled;
    const served = listServed(provider, settings, this.#world, AbortSignal.timeout(TIMEOUT_MS));
    // Not reachable, or another kind of server: the caller reports that no server answers.
    const pulled = served.then(
      (models) => ({ baseUrl, names: models?.map(({ id }) => id) }),
      () => ({ baseUrl, names: undefined }),
    );
    this.#known.set(provider, { pulled, baseUrl, until: now + CACHE_MS });
    return pulled;
  }
}
