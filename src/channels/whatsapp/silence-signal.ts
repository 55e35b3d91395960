import { AsyncLocalStorage } from "node:async_hooks";
import type { SocketConfig } from "baileys";

type Repository = ReturnType<SocketConfig["makeSignalRepository"]>;

const silencing = new AsyncLocalStorage<true>();
let isInstalled = false;

/** What is done in here, now or later, prints nothing. */
function runSilently<T>(work: () => T): T {
  if (!isInstalled) {
    const { console: printer } = globalThis;
    for (const level of ["info", "warn", "error"] as const) {
      const print = printer[level];
      printer[level] = (...values: unknown[]) => {
        if (silencing.getStore() === undefined) print.apply(printer, values);
      };
    }
    isInstalled = true;
  }
  return silencing.run(true, work);
}

/** Whenever a session is closed, the library that encrypts prints it, with its private keys. */
export function silenced(repository: Repository): Repository {
  return {
    ...repository,
    decryptMessage: (options) => runSilently(() => repository.decryptMessage(options)),
    encryptMessage: (options) => runSilently(() => repository.encryptMessage(options)),
    injectE2ESession: (options) => runSilently(() => repository.injectE2ESession(options)),
    migrateSession: (from, to) => runSilently(() => repository.migrateSession(from, to)),
  };
}
