import type { Scope } from "../types.js";

/** Each includes the ones before it. */
const scopes: readonly Scope[] = ["read", "chat", "admin"];

export function isScope(value: unknown): value is Scope {
  return scopes.some((scope) => scope === value);
}

export function includesScope(has: Scope, needed: Scope): boolean {
  return scopes.indexOf(has) >= scopes.indexOf(needed);
}
