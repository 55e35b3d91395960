import { DragomanError } from "../core/error.js";

export interface Key {
  value: string;
  /** The environment variable that contained it; absent if it was passed. */
  variable?: string;
}

/** Reads an environment variable. */
export type Environment = (name: string) => string | undefined;

/** A provider's key: the passed one, or else the first of its variables that is set, or else `<PROVIDER>_API_KEY`. */
export function findKey(
  provider: string,
  variables: readonly string[],
  explicit: string | undefined,
  env: Environment,
): Key | undefined {
  const given = explicit?.trim() ?? "";
  if (given !== "") return { value: given };
  for (const variable of variablesOf(provider, variables)) {
    const value = env(variable)?.trim() ?? "";
    if (value !== "") return { value, variable };
  }
  return undefined;
}

/** Like `findKey`, but a missing key is an error that names the variables. */
export function resolveKey(
  provider: string,
  variables: readonly string[],
  explicit: string | undefined,
  env: Environment,
): Key {
  const key = findKey(provider, variables, explicit, env);
  if (key !== undefined) return key;
  throw new DragomanError("provider/no-key", `there is no API key for ${provider}`, {
    hint: `set ${variablesOf(provider, variables).join(" or ")}, or pass apiKey`,
  });
}

function variablesOf(provider: string, variables: readonly string[]): string[] {
  return [...new Set([...variables, `${provider.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}_API_KEY`])];
}
