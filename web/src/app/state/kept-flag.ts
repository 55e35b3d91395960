import type { BrowserStorage } from "../../gateway/token.js";
import { Store } from "./store.js";

/** A choice between yes and no that this browser remembers; yes by default. */
export function keptFlag(storage: BrowserStorage, name: string): Store<boolean> {
  const flag = new Store(storage.getItem(name) !== "no");
  flag.subscribe(() => (flag.get() ? storage.removeItem(name) : storage.setItem(name, "no")));
  return flag;
}
