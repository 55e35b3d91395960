import { defined } from "../core/json/defined.js";
import type { Fallback } from "../providers/ask-in-turn.js";
import type { CallObserver } from "../providers/call-observer.js";
import { cardOf, extendCatalogue } from "../providers/catalogue.js";
import { type ConnectOptions, connect } from "../providers/connect.js";
import { endpoints } from "../providers/endpoints.js";
import type { Meter } from "../providers/meter.js";
import type { Model } from "../providers/model.js";
import { httpFetch } from "./http-fetch.js";
import { modelsNamed } from "./model-names.js";
import type { Config } from "./schema.js";

/** Used when no model is configured: it needs neither a key nor the network. */
export const DEFAULT_MODEL = "demo/echo";

/** In order of preference: each is a good general model, and not its maker's most expensive. */
const FAVOURITES = ["anthropic/claude-sonnet-5-5", "openai/gpt-6.1-sol", "google/gemini-3.8-flash"];

/**
 * The model for users who have chosen none: the favourite of the first provider with a key.
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

/** What counts and follows a model's calls. */
export interface CallWatch {
  meter?: Meter | undefined;
  observer?: CallObserver | undefined;
}

/** Connects to models according to the configuration. */
export type Connect = (name: string, watch?: CallWatch) => Model;

export function connector(
  config: Config,
  options: Pick<ConnectOptions, "fetch" | "world"> = {},
  onFallback: (fallback: Fallback) => void = () => undefined,
): Connect {
  for (const [name, card] of Object.entries(config.models ?? {})) {
    const [provider = "", ...id] = name.split("/");
    extendCatalogue({ [name]: { ...cardOf(provider, id.join("/")), ...card } });
  }
  return (given, watch = {}) => {
    const settingsOf = (name: string): ConnectOptions => {
      const [provider = ""] = name.split("/");
      return { ...config.providers?.[provider], fetch: httpFetch, ...options, ...defined({ ...watch }) };
    };
    const [first = { name: given }, ...others] = modelsNamed(config, given);
    const fallbacks = others.map(({ name, on }) => ({
      model: connect(name, settingsOf(name)),
      ...(on === undefined ? {} : { on }),
    }));
    return connect(first.name, { ...settingsOf(first.name), fallbacks, onFallback });
  };
}
