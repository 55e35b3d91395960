import { AsyncLocalStorage } from "node:async_hooks";
import type { SocketConfig } from "baileys";

type Repository = ReturnType<SocketConfig["makeSignalRepository"]>;

const unheard = new AsyncLocalStorage<true>();
let isInstalled = false;

/** What is done in here, now or later, prints nothing. */
function hush<T>(work: () => T): T {
  if (!isInstalled) {
    const { console: printer } = globalThis;
    for (const level of ["info", "warn", "error"] as const) {
      const print = printer[level];
      printer[level] = (...values: unknown[]) => {
        if (unheard.getStore() === undefined) print.apply(printer, values);
      };
    }
    isInstalled = true;
  }
  return unheard.run(true, work);
}

/** Whenever a session is closed, the library that encrypts prints it, with its private keys. */
export function hushed(repository: Repository): Repository {
  return {
    ...repository,
    decryptMessage: (options) => hush(() => repository.decryptMessage(options)),
    encryptMessage: (options) => hush(() => repository.encryptMessage(options)),
    injectE2ESession: (options) => hush(() => repository.injectE2ESession(options)),
    migrateSession: (from, to) => hush(() => repository.migrateSession(from, to)),
  };
}
