import { createHmac } from "node:crypto";
import type { Config } from "../../runtime/schema.js";
import type { Member } from "./members.js";

/** Sections that may differ between gateways: where each one listens, and how it reaches the store that they share. */
const OWN: ReadonlySet<string> = new Set(["gateway", "store"]);
const DIGEST_LENGTH = 16;

/** By section of the configuration: a digest, with the cluster's key, because some sections contain secrets. */
export function digestConfig(config: Config, key: Buffer): Record<string, string> {
  const sections = Object.entries(config).filter(([name, value]) => !OWN.has(name) && value !== undefined);
  return Object.fromEntries(
    sections.map(([name, value]) => {
      const text = `dragoman config\n${name}\n${JSON.stringify(value, sorted)}`;
      return [name, createHmac("sha256", key).update(text).digest("hex").slice(0, DIGEST_LENGTH)];
    }),
  );
}

/** The order of an object's keys means nothing. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The sections in which two gateways' configurations differ. */
export function differingSections(one: Pick<Member, "config">, other: Pick<Member, "config">): string[] {
  const names = new Set([...Object.keys(one.config), ...Object.keys(other.config)]);
  return [...names].filter((name) => one.config[name] !== other.config[name]).sort();
}
