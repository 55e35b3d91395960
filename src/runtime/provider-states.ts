import { defined } from "../core/json/defined.js";
import { catalogue } from "../providers/catalogue-data.js";
import { endpoints, isKeyless } from "../providers/endpoints.js";
import type { World } from "../providers/world.js";
import { isReady } from "./model-access.js";
import type { Config } from "./schema.js";

/** A provider, and whether it can be used. */
export interface ProviderState {
  name: string;
  /** Whether many people use it. */
  common: boolean;
  /** Where its key is: `credentials` are those of a cloud's own tools. */
  key: "config" | "environment" | "credentials" | "missing" | "unneeded";
  /** The environment variables that may contain its key. */
  variables: string[];
  /** Whether the configuration has settings for it. */
  configured: boolean;
  baseUrl?: string;
  /** A model to test it with. */
  model?: string;
}

/** The known and the configured providers: usable ones first, then by name. */
export async function providersOf(
  config: Config,
  world: Pick<World, "env" | "fetch" | "now" | "readFile">,
): Promise<ProviderState[]> {
  const names = new Set([...Object.keys(config.providers ?? {}), ...Object.keys(endpoints)]);
  const all = await Promise.all([...names].map((name) => stateOf(name, config, world)));
  const rank = ({ key, configured }: ProviderState) =>
    key === "config" || key === "environment" || key === "credentials" ? 0 : configured ? 1 : 2;
  return all.sort((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1));
}

async function stateOf(
  name: string,
  config: Config,
  world: Pick<World, "env" | "fetch" | "now" | "readFile">,
): Promise<ProviderState> {
  const settings = config.providers?.[name];
  const { keyVariables = [], common = false, host } = endpoints[name] ?? {};
  const model = modelOf(name, config);
  const isSet = (variable: string) => (world.env(variable) ?? "").trim() !== "";
  const isUsable = async () => host !== undefined && (await isReady(`${name}/any`, { config }, world));
  const key =
    settings?.apiKey !== undefined
      ? "config"
      : keyVariables.some(isSet)
        ? "environment"
        : (await isUsable())
          ? "credentials"
          : isKeyless(name, settings?.baseUrl)
            ? "unneeded"
            : "missing";
  return {
    name,
    common,
    key,
    variables: [...keyVariables],
    configured: settings !== undefined,
    ...defined({ baseUrl: settings?.baseUrl, model }),
  };
}

/** A configured model, or the first one of the catalogue. */
function modelOf(provider: string, { model, models = {}, agents = {} }: Config): string | undefined {
  const used = [model, ...Object.values(agents).map((agent) => agent.model), ...Object.keys(models)];
  return [...used, ...Object.keys(catalogue)].find((name) => name?.startsWith(`${provider}/`) === true);
}
