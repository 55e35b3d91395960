import { DragomanError } from "../core/error.js";
import { findConnector } from "../providers/connectors.js";
import { isKeyless, keyFor, resolveEndpoint } from "../providers/endpoints.js";
import type { HostWorld } from "../providers/hosts/host.js";
import type { Environment } from "../providers/keys.js";
import { modelsNamed } from "./model-names.js";
import type { Runtime } from "./runtime.js";

type Variables = Readonly<Record<string, string | undefined>>;

/** The models that a home's agents run on. */
export function modelsOf({ agents }: Pick<Runtime, "agents">): string[] {
  return [...new Set(agents.ids.map((id) => agents.modelOf(id)))];
}

/** Like `checkAccess`; for a cloud it also looks for the credentials, in variables and files. Sends nothing. */
export async function checkCredentials(
  model: string,
  { config }: Pick<Runtime, "config">,
  world: HostWorld,
): Promise<void> {
  checkAccess(model, { config }, world.env);
  for (const { name } of modelsNamed(config, model)) {
    const [provider = "", ...id] = name.split("/");
    if (findConnector(provider) !== undefined) continue;
    const { apiKey, ...settings } = config.providers?.[provider] ?? {};
    const { host, baseUrl } = resolveEndpoint(provider, settings, world.env);
    const key = apiKey === undefined ? {} : { key: { value: apiKey } };
    await (await host?.())?.check({ model: id.join("/"), baseUrl, ...key }, world);
  }
}

/** Whether a model can be called: there is a key, or there are credentials, or none are needed. */
export async function isReady(
  model: string,
  runtime: Pick<Runtime, "config">,
  world: HostWorld,
): Promise<boolean> {
  try {
    await checkCredentials(model, runtime, world);
    return true;
  } catch (error) {
    if (error instanceof DragomanError) return false;
    throw error;
  }
}

/** Whether a model, or one of a list, is called with a key or credentials. */
export function needsKey(model: string, { config }: Pick<Runtime, "config">): boolean {
  return modelsNamed(config, model).some(({ name }) => {
    const [provider = ""] = name.split("/");
    const isConnector = findConnector(provider) !== undefined;
    return !isConnector && !isKeyless(provider, config.providers?.[provider]?.baseUrl);
  });
}

/**
 * Throws when a model, or one of a list, cannot be reached: `config/invalid` for an unknown provider, `provider/no-key`
 * without a key.
 */
export function checkAccess(
  model: string,
  { config }: Pick<Runtime, "config">,
  env: Environment | Variables,
): void {
  for (const { name } of modelsNamed(config, model)) checkModel(name, config, env);
}

function checkModel(model: string, config: Runtime["config"], env: Environment | Variables): void {
  const [provider = ""] = model.split("/");
  if (findConnector(provider) !== undefined) return;
  const settings = config.providers?.[provider] ?? {};
  const read = typeof env === "function" ? env : (name: string) => env[name];
  try {
    keyFor(provider, resolveEndpoint(provider, settings, read), settings.apiKey, read);
  } catch (error) {
    if (!(error instanceof DragomanError) || error.code !== "provider/unknown") throw error;
    throw new DragomanError("config/invalid", `the model "${model}" cannot be used: ${error.message}`, {
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      cause: error,
    });
  }
}
