import { cardOf, extendCatalogue } from "../providers/catalogue.js";
import { type ConnectOptions, connect, type Model } from "../providers/connect.js";
import { endpoints } from "../providers/endpoints.js";
import { resolveName } from "./model-names.js";
import type { Config } from "./schema.js";

/** What answers when nobody chose a model: it needs no key and no network. */
export const DEFAULT_MODEL = "demo/echo";

/** The one that is tried first is first: good at most things, and not the dearest of its maker. */
const FAVOURITES = ["anthropic/claude-sonnet-5-5", "openai/gpt-6.1-sol", "google/gemini-3.8-flash"];

/**
 * The model of whoever chose none: the favourite of the first provider that there is a key for.
 *
 * @example
 * defaultModel({}, { OPENAI_API_KEY: "sk-…" }); // "openai/gpt-6.1-sol"
 */
export function defaultModel(config: Config, env: Readonly<Record<string, string | undefined>>): string {
  const hasKey = (name: string) => {
    const [provider = ""] = name.split("/");
    const { keyVariables = [] } = endpoints[provider] ?? {};
    const keys = [config.providers?.[provider]?.apiKey, ...keyVariables.map((variable) => env[variable])];
    return keys.some((key) => key !== undefined && key.trim() !== "");
  };
  return FAVOURITES.find(hasKey) ?? DEFAULT_MODEL;
}

/** Connects to models as the configuration says. */
export type Connect = (name: string) => Model;

export function connector(config: Config, options: Pick<ConnectOptions, "fetch" | "world"> = {}): Connect {
  for (const [name, card] of Object.entries(config.models ?? {})) {
    const [provider = "", ...id] = name.split("/");
    extendCatalogue({ [name]: { ...cardOf(provider, id.join("/")), ...card } });
  }
  return (given) => {
    const name = resolveName(config, given);
    const [provider = ""] = name.split("/");
    return connect(name, { ...config.providers?.[provider], ...options });
  };
}
