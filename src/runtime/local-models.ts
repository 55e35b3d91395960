import { endpoints } from "../providers/endpoints.js";
import { listServed } from "../providers/list-models.js";
import type { World } from "../providers/world.js";
import type { Config } from "./schema.js";

/** The provider whose models the user downloads. */
export const PULLING = Object.keys(endpoints).find((name) => endpoints[name]?.pullsModels === true) ?? "";
const CACHE_MS = 30_000;
/** The server is on this computer or near it. */
const TIMEOUT_MS = 1_000;

/** The models that the server has. */
export interface PulledModels {
  baseUrl: string;
  /** Undefined if the server does not answer. */
  names: readonly string[] | undefined;
}

/** Asks the server which models it has; remembers the answer for half a minute. */
export class LocalModels {
  readonly #world: Pick<World, "env" | "fetch" | "now">;
  #known: { pulled: Promise<PulledModels>; baseUrl: string; until: number } | undefined;

  constructor(world: Pick<World, "env" | "fetch" | "now">) {
    this.#world = world;
  }

  list({ providers }: Config): Promise<PulledModels> {
    const settings = providers?.[PULLING] ?? {};
    const baseUrl = settings.baseUrl ?? endpoints[PULLING]?.baseUrls[0] ?? "";
    const now = this.#world.now();
    if (this.#known === undefined || this.#known.baseUrl !== baseUrl || this.#known.until <= now) {
      const asked = listServed(PULLING, settings, this.#world, AbortSignal.timeout(TIMEOUT_MS));
      // Not reachable, or another kind of server: the caller reports that no server answers.
      const names = asked.then(
        (served) => served?.map(({ id }) => id),
        () => undefined,
      );
      const pulled = names.then((found) => ({ baseUrl, names: found }));
      this.#known = { pulled, baseUrl, until: now + CACHE_MS };
    }
    return this.#known.pulled;
  }
}
