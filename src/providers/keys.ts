import { DragomanError } from "../core/error.js";

export interface Key {
  value: string;
  /** Where it was found; absent when it was given. */
  variable?: string;
}

/**
 * The key of a provider: the one given, else the first of its variables that is set, else `<PROVIDER>_API_KEY`.
 * A missing key is an error that names the variables.
 */
export function resolveKey(
  provider: string,
  variables: readonly string[],
  explicit: string | undefined,
  env: (name: string) => string | undefined,
): Key {
  const generic = `${provider.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}_API_KEY`;
  const names = [...new Set([...variables, generic])];
  const given = explicit?.trim() ?? "";
  if (given !== "") return { value: given };
  for (const variable of names) {
    const value = env(variable)?.trim() ?? "";
    if (value !== "") return { value, variable };
  }
  throw new DragomanError("provider/no-key", `there is no API key for ${provider}`, {
    hint: `set ${names.join(" or ")}, or pass apiKey`,
  });
}
