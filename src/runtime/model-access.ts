import { DragomanError } from "../core/error.js";
import { findConnector } from "../providers/connectors.js";
import { endpoints, findEndpoint } from "../providers/endpoints.js";
import { resolveKey } from "../providers/keys.js";
import type { Runtime } from "./runtime.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** The models that a home's agents run on. */
export function modelsOf({ agents }: Pick<Runtime, "agents">): string[] {
  return [...new Set(agents.ids.map((id) => agents.modelOf(id)))];
}

/** Throws when a model cannot be reached: `config/invalid` for an unknown provider, `provider/no-key` without a key. */
export function checkAccess(model: string, { config }: Pick<Runtime, "config">, env: Environment): void {
  const [provider = ""] = model.split("/");
  if (findConnector(provider) !== undefined) return;
  const { apiKey, baseUrl } = config.providers?.[provider] ?? {};
  const known = findEndpoint(provider);
  if (known === undefined && baseUrl === undefined) {
    throw new DragomanError("config/invalid", `the model "${model}" has an unknown provider`, {
      hint: `known are ${Object.keys(endpoints).join(", ")} and demo; give any other a baseUrl under "providers"`,
    });
  }
  const { keyVariables } = known ?? { keyVariables: [] };
  if (keyVariables !== undefined) resolveKey(provider, keyVariables, apiKey, (name) => env[name]);
}
