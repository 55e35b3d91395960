import type { Api, Sign } from "../../core/api/provider.js";
import { DragomanError } from "../../core/error.js";
import type { Key } from "../keys.js";
import type { World } from "../world.js";

/** A cloud that serves an API at an address and with credentials that depend on the account. */
export interface Host {
  /** The API as the cloud serves it, if its path, headers or request body differ. */
  adapt?(api: Api): Api;
  /** Throws `provider/no-key` if a region or credentials are missing. Sends nothing. */
  check(call: HostCall, world: HostWorld): Promise<void>;
  /** The address and the credentials of one call; throws `provider/no-key` if there are no credentials. */
  open(call: HostCall, world: World): Promise<HostAccess>;
}

/** What a check may use: no network. */
export type HostWorld = Pick<World, "env" | "readFile" | "now">;

export interface HostCall {
  model: string;
  /** With placeholders such as `{region}`. */
  baseUrl: string;
  /** Replaces the cloud's own credentials. */
  key?: Key;
}

export interface HostAccess {
  baseUrl: string;
  key?: Key;
  sign?: Sign;
}

/** Characters without a special meaning in a host name or path. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9.:-]*$/;

/**
 * Fills in the placeholders of a base URL. Only values that it contains are looked up.
 *
 * @example
 * await fillPlaceholders("https://{region}.example.com", { region: async () => "eu-west-1" }); // "https://eu-west-1.example.com"
 */
export async function fillPlaceholders(
  baseUrl: string,
  values: Readonly<Record<string, () => Promise<string>>>,
): Promise<string> {
  let filled = baseUrl;
  for (const [name, find] of Object.entries(values)) {
    if (!filled.includes(`{${name}}`)) continue;
    const value = await find();
    if (!PLAIN.test(value)) {
      throw new DragomanError("config/invalid", `"${value}" cannot be the ${name} in ${baseUrl}`, {
        hint: "use letters, digits and dashes",
      });
    }
    filled = filled.replaceAll(`{${name}}`, value);
  }
  return filled;
}

/** The first of these variables that is set. */
export function firstVariable({ env }: Pick<World, "env">, ...names: string[]): string | undefined {
  return names.map((name) => env(name)?.trim()).find((value) => value !== undefined && value !== "");
}

/** A path in the home folder; undefined if there is none. */
export function homePath(world: Pick<World, "env">, path: string): string | undefined {
  const home = firstVariable(world, "HOME", "USERPROFILE");
  return home === undefined ? undefined : `${home}/${path}`;
}
