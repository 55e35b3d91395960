import { DragomanError } from "../../core/error.js";

type Environment = (name: string) => string | undefined;

/**
 * A text with the values of the environment variables it names: `${NAME}`, or `${NAME:-text}` with a default. Values that
 * may be secrets, which is all but paths, are added to `secrets`.
 */
export function expandVariables(text: string, env: Environment, secrets: string[]): string {
  return text.replaceAll(
    /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^${}]*))?\}/g,
    (_, name: string, fallback?: string) => {
      const set = env(name);
      const value = set === undefined || set === "" ? fallback : set;
      if (value === undefined) {
        throw new DragomanError("mcp/bad-settings", `the environment variable ${name} is not set`, {
          hint: `set ${name} before starting Dragoman, or write \${${name}:-default}`,
        });
      }
      if (!value.startsWith("/")) secrets.push(value);
      return value;
    },
  );
}
