import { DragomanError } from "../core/error.js";
import type { FallbackReason } from "../core/message/fallbacks.js";
import { findConnector } from "../providers/connectors.js";
import { findEndpoint } from "../providers/endpoints.js";
import type { Config } from "./schema.js";

/** What models are called that are our agents: `agent/main`. */
export const AGENT_PREFIX = "agent/";

/** Claude Code writes the size of the context window behind a name: `claude-opus-4-8[1m]`. */
const SUFFIX = /\[\d+[km]\]$/i;

const PROVIDER = /^[a-z0-9][a-z0-9-]*$/;

/** The provider that names without one belong to. */
export interface BareNames {
  provider: string;
  /** Whether the operator chose it: then names with a slash whose first part is not a provider are its own, too. */
  isChosen: boolean;
}

/**
 * What a name stands for: an alias for its model, a full name for itself, and a bare one for a model of the provider that bare
 * names belong to. The name of a list of models stands for itself.
 *
 * @example
 * resolveName({ aliases: { fast: "groq/llama-3.3" } }, "fast"); // "groq/llama-3.3"
 * resolveName({}, "claude-opus-4-8[1m]", { provider: "anthropic", isChosen: false }); // "anthropic/claude-opus-4-8"
 */
export function resolveName(config: Config, name: string, bare?: BareNames): string {
  const plain = name.replace(SUFFIX, "");
  const { aliases = {} } = config;
  for (const known of [name, plain]) {
    const target = Object.hasOwn(aliases, known) ? aliases[known] : undefined;
    if (target !== undefined) return typeof target === "string" ? target : known;
  }
  return bare !== undefined && isBare(config, plain, bare) ? `${bare.provider}/${plain}` : plain;
}

/** A model that a name stands for. */
export interface NamedModel {
  /** `provider/model`, or `agent/…`. */
  name: string;
  /** The failures of the models before it after which it is asked (default: all). */
  on?: readonly FallbackReason[];
}

/**
 * The models that a name stands for, in the order in which they are asked: one, unless it is the name of a list. Lists within
 * lists are expanded.
 *
 * @example
 * modelsNamed({ aliases: { smart: { models: ["anthropic/a", "openai/b"] } } }, "smart"); // [{ name: "anthropic/a" }, { name: "openai/b" }]
 */
export function modelsNamed(config: Config, name: string, within: readonly string[] = []): NamedModel[] {
  const resolved = resolveName(config, name);
  if (within.includes(resolved)) {
    throw new DragomanError("config/invalid", `the list "${resolved}" contains itself`, {
      hint: `remove one of these references: ${[...within, resolved].join(" → ")}`,
    });
  }
  const { aliases = {} } = config;
  const target = Object.hasOwn(aliases, resolved) ? aliases[resolved] : undefined;
  if (typeof target !== "object") return [{ name: resolved }];
  return target.models.flatMap((member) => {
    const { model, ...conditions } = typeof member === "string" ? { model: member } : member;
    const [first, ...rest] = modelsNamed(config, model, [...within, resolved]);
    return first === undefined ? [] : [{ ...first, ...conditions }, ...rest];
  });
}

function isBare(config: Config, name: string, { isChosen }: BareNames): boolean {
  const slash = name.indexOf("/");
  if (slash < 0) return true;
  const first = name.slice(0, slash);
  if (isProvider(config, first)) return false;
  return isChosen || !PROVIDER.test(first);
}

/** Whether names can begin with it: a known provider, a configured one, a connector, or `agent`. */
export function isProvider({ providers = {} }: Config, name: string): boolean {
  return (
    `${name}/` === AGENT_PREFIX ||
    findEndpoint(name) !== undefined ||
    Object.hasOwn(providers, name) ||
    findConnector(name) !== undefined
  );
}
