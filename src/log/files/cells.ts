import { join } from "node:path";
import { Locks } from "../locks/lock.js";
import type { Cell, CellCodec, Store } from "../store.js";
import { SharedFile } from "./shared-file.js";

/** The cells of a home, for processes that need nothing else of its store. */
export function openCells(home: string, locks = new Locks(join(home, "locks"))): Pick<Store, "cell"> {
  return {
    cell<T>(name: string, codec: CellCodec<T>): Cell<T> {
      const path = join(home, ...name.split("/").slice(0, -1), `${name.split("/").at(-1)}.json`);
      return new SharedFile({ path, locks, lock: lockOf(name), codec });
    },
  };
}

/**
 * `people.main.telegram` for `channels/telegram/main/people`. The platform comes last: platform names are ours, so no
 * account name can produce another lock's name.
 */
function lockOf(name: string): string {
  return name
    .replace(/^channels\//, "")
    .split("/")
    .reverse()
    .join(".");
}
