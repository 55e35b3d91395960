import { wordsOf } from "../core/error.js";
import type { Catalogue } from "../log/catalogue/types.js";
import { FileStore } from "../log/files/file-store.js";
import { sweepHome } from "../log/files/leftovers.js";
import type { Store } from "../log/store.js";
import type { Log } from "../log/types.js";
import { storeAddress } from "./store-address.js";
import { fileDialect, fileMessages } from "./transcript.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** A home's sessions and their index. */
export interface Sessions {
  home: string;
  log: Log;
  catalogue: Catalogue;
  close(): Promise<void>;
}

/** Opens a home's sessions, without agents and models. `onNote` receives messages for the user. */
export async function openSessions(home: string, onNote?: (text: string) => void): Promise<Sessions> {
  const store = await openStore(home, process.env, onNote);
  return { home, log: store.log, catalogue: store.catalogue, close: () => store.close() };
}

/** A home's store: its files, or the database that its configuration, the environment or `requested` names. */
export async function openStore(
  home: string,
  env: Environment,
  onNote?: (text: string) => void,
  requested?: string,
): Promise<Store> {
  const address = storeAddress(home, env, requested);
  if (address === undefined) return openHomeStore(home, onNote);
  const { PostgresStore } = await import("../log/postgres/postgres-store.js");
  return PostgresStore.open(address, { env, openOthers: () => openHomeStore(home, onNote).catalogue });
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
