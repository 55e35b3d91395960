import { join } from "node:path";
import { wordsOf } from "../core/error.js";
import { openCatalogue } from "../log/catalogue/catalogue.js";
import type { Catalogue } from "../log/catalogue/types.js";
import { openHome } from "../log/home.js";
import { sweepHome } from "../log/leftovers.js";
import { Locks } from "../log/locks/lock.js";
import type { Log } from "../log/types.js";
import { fileDialect, fileMessages } from "./transcript.js";

/** A home's sessions and their index. */
export interface Sessions {
  home: string;
  log: Log;
  catalogue: Catalogue;
}

/** Opens a home's sessions, without agents and models. `onNote` receives messages for the user. */
export function openSessions(home: string, onNote?: (text: string) => void): Sessions {
  // In the background: nothing depends on it.
  sweepHome(home).catch((error) => onNote?.(`leftovers of a killed process: ${wordsOf(error)}`));
  const log = openHome(home, {
    onRecovery: ({ session, bytes, savedAs }) =>
      onNote?.(`the last line of session ${session} was incomplete; its ${bytes} bytes are in ${savedAs}`),
  });
  // Not in the index's folder: SQLite creates a folder beside the database, and sweeping reads every lock.
  const locks = new Locks(join(home, "locks"));
  const catalogue = openCatalogue({
    home,
    sessions: (known) => log.list(known),
    async *readForeign(path) {
      yield* fileMessages(path, await fileDialect(path));
    },
    withLock: (work) => locks.withLock("index", work),
    ...(onNote === undefined ? {} : { onNote }),
  });
  return { home, log, catalogue };
}
