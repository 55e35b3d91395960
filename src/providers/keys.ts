import { DragomanError } from "../core/error.js";

/**
 * The key of a provider: the one given, else the first of its variables that is set, else `<PROVIDER>_API_KEY`.
 * A missing key is an error that names the variables.
 */
export function resolveKey(
  provider: string,
  variables: readonly string[],
  explicit: string | undefined,
  env: (name: string) => string | undefined,
): string {
  const generic = `${provider.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}_API_KEY`;
  const names = [...new Set([...variables, generic])];
  const key = [explicit, ...names.map(env)].find((value) => value !== undefined && value.trim() !== "");
  if (key !== undefined) return key.trim();
  throw new DragomanError("provider/no-key", `there is no API key for ${provider}`, {
    hint: `set ${names.join(" or ")}, or pass apiKey`,
  });
}
