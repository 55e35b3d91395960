import type { BrowserStorage } from "../../gateway/token.js";

/** Browser storage in memory, for tests. */
export function memoryStorage(
  kept: Record<string, string> = {},
): BrowserStorage & { kept: Map<string, string> } {
  const map = new Map(Object.entries(kept));
  return {
    kept: map,
    getItem: (name) => map.get(name) ?? null,
    setItem: (name, value) => void map.set(name, value),
    removeItem: (name) => void map.delete(name),
  };
}
