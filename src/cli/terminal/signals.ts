/** The signals that stop a command, with the exit codes that shells report for them. */
export const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Calls back on the first signal; the second one exits. Returns a function for the exit code of the first. */
export function onFirstSignal(callback: () => void): () => number | undefined {
  let first: number | undefined;
  for (const [signal, code] of Object.entries(exitCodes)) {
    process.on(signal, () => {
      if (first !== undefined) process.exit(code);
      first = code;
      callback();
    });
  }
  return () => first;
}
