import { AsyncLocalStorage } from "node:async_hooks";
import type { SocketConfig } from "baileys";

type Repository = ReturnType<SocketConfig["makeSignalRepository"]>;

const silencing = new AsyncLocalStorage<true>();
let isInstalled = false;

/** Runs work whose console output, now or later, is suppressed. */
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

/** Suppresses the Signal library's console output: it prints every closed session with its private keys. */
export function silenced(repository: Repository): Repository {
  return {
    ...repository,
    decryptMessage: (options) => runSilently(() => repository.decryptMessage(options)),
    encryptMessage: (options) => runSilently(() => repository.encryptMessage(options)),
    injectE2ESession: (options) => runSilently(() => repository.injectE2ESession(options)),
    migrateSession: (from, to) => runSilently(() => repository.migrateSession(from, to)),
  };
}
