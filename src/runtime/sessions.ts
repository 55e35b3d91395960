import { join } from "node:path";
import { wordsOf } from "../core/error.js";
import { openCatalogue } from "../log/catalogue/catalogue.js";
import type { Catalogue } from "../log/catalogue/types.js";
import { openHome } from "../log/home.js";
import { sweepHome } from "../log/leftovers.js";
import { Locks } from "../log/locks/lock.js";
import type { Log } from "../log/types.js";
import { fileMessages } from "./transcript.js";

const INDEX_LOCK = "index";

/** The sessions of a home, and the index of them. */
export interface Sessions {
  home: string;
  log: Log;
  catalogue: Catalogue;
}

/** Without agents and models: what it takes to look at sessions. `onNote` hears what a person should know. */
export function openSessions(home: string, onNote?: (text: string) => void): Sessions {
  // No one has to wait for it.
  sweepHome(home).catch((error) => onNote?.(`leftovers of a killed process: ${wordsOf(error)}`));
  const log = openHome(home, {
    onRecovery: ({ session, bytes, savedAs }) =>
      onNote?.(`the last line of session ${session} was torn; its ${bytes} bytes are in ${savedAs}`),
  });
  // Apart from the index itself: SQLite keeps a folder of its own beside the database, and sweeping reads every lock.
  const locks = new Locks(join(home, "locks"));
  const catalogue = openCatalogue({
    home,
    sessions: (known) => log.list(known),
    readForeign: fileMessages,
    withLock: async (work) => {
      await locks.acquire(INDEX_LOCK);
      return work().finally(() => locks.release(INDEX_LOCK));
    },
    ...(onNote === undefined ? {} : { onNote }),
  });
  return { home, log, catalogue };
}
