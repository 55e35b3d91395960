import { wordsOf } from "../core/error.js";
import type { Catalogue } from "../log/catalogue/types.js";
import { FileStore } from "../log/files/file-store.js";
import { sweepHome } from "../log/files/leftovers.js";
import type { Store } from "../log/store.js";
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
  const { log, catalogue } = openHomeStore(home, onNote);
  return { home, log, catalogue };
}

/** The store that is a home's files. */
export function openHomeStore(home: string, onNote?: (text: string) => void): Store {
  // In the background: nothing depends on it.
  sweepHome(home).catch((error) => onNote?.(`leftovers of a killed process: ${wordsOf(error)}`));
  return new FileStore({
    home,
    async *readForeign(path) {
      yield* fileMessages(path, await fileDialect(path));
    },
    onRecovery: ({ session, bytes, savedAs }) =>
      onNote?.(`the last line of session ${session} was incomplete; its ${bytes} bytes are in ${savedAs}`),
    ...(onNote === undefined ? {} : { onNote }),
  });
}
