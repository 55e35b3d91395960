import { parsePointer } from "../core/json/pointer.js";
import { isObject } from "../core/json/value.js";

/** The path of a setting: the names of the objects around it, and its own. */
export type SettingPath = readonly [string, ...string[]];

/** Stands for a secret wherever settings are shown. */
export const HIDDEN = "(hidden)";

const secretNames = /^(?:apiKey|.*token|.*secret|password)$/i;
/** Their values are what programs and servers get, which is often a secret. */
const secretMaps = new Set(["headers", "env"]);

/**
 * The path that a person writes: `agents.main.model`, or `/models/openai~1gpt-6` as a JSON pointer. Undefined if it is
 * neither.
 */
export function settingPath(written: string): SettingPath | undefined {
  const names = written.startsWith("/") ? parsePointer(written) : written.split(".");
  const [first, ...more] = names;
  return first === undefined || names.includes("") ? undefined : [first, ...more];
}

/** @param value that it will have, if it is known */
export function isSecretSetting(path: readonly string[], value?: string): boolean {
  if (isStore(path)) return value !== undefined && withoutLogin(value) !== value;
  const [name = "", map = ""] = path.toReversed();
  return secretNames.test(name) || secretMaps.has(map);
}

function isStore(path: readonly string[]): boolean {
  return path.length === 1 && path[0] === "store";
}

/** A store's address without its user and password, if it has a password. Special characters in it may not be encoded. */
function withoutLogin(address: string): string {
  const start = address.indexOf("//") + 2;
  const end = address.lastIndexOf("@");
  const hasPassword = start > 1 && address.slice(start, Math.max(start, end)).includes(":");
  return hasPassword ? `${address.slice(0, start)}${HIDDEN}${address.slice(end)}` : address;
}

/** Whether a value was shown in place of a secret. */
export function isHidden(value: unknown): boolean {
  return typeof value === "string" && (value === HIDDEN || value.includes(`//${HIDDEN}@`));
}

/** The value of a setting; undefined if it is not set. */
export function settingAt(config: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => {
    if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined;
    return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }, config);
}

/** A setting as it may be shown: secrets are replaced. */
export function withoutSecrets(value: unknown, path: readonly string[] = []): unknown {
  if (typeof value === "string") {
    if (isStore(path)) return withoutLogin(value);
    return isSecretSetting(path) && value !== "" ? HIDDEN : value;
  }
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, path));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withoutSecrets(one, [...path, name])]),
  );
}
