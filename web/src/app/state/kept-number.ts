import type { BrowserStorage } from "../../gateway/token.js";
import { Store } from "./store.js";

/** A number that this browser remembers. */
export function keptNumber(storage: BrowserStorage, name: string, usual: number): Store<number> {
  const stored = Number(storage.getItem(name) ?? usual);
  const number = new Store(Number.isFinite(stored) ? stored : usual);
  number.subscribe(() =>
    number.get() === usual ? storage.removeItem(name) : storage.setItem(name, String(number.get())),
  );
  return number;
}
