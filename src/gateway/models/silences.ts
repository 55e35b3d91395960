/** Stands between events for a while in which there were none. */
export const SILENCE = Symbol("silence");

/** What a source brings, and a mark for each stretch of so many milliseconds in which it brings nothing. */
export async function* withSilences<T>(
  source: AsyncIterable<T>,
  ms: number,
): AsyncGenerator<T | typeof SILENCE> {
  const iterator = source[Symbol.asyncIterator]();
  let wake: ((mark: typeof SILENCE) => void) | undefined;
  // One timer for all: making one for each event costs more than the event.
  const timer = setTimeout(() => wake?.(SILENCE), ms);
  try {
    for (;;) {
      const coming = iterator.next();
      // It may fail when the reader has left, who then does not care.
      coming.catch(() => undefined);
      let next: IteratorResult<T> | typeof SILENCE = SILENCE;
      while (next === SILENCE) {
        timer.refresh();
        const silence: Promise<typeof SILENCE> = new Promise((resolve) => {
          wake = resolve;
        });
        next = await Promise.race([coming, silence]);
        if (next === SILENCE) yield SILENCE;
      }
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    clearTimeout(timer);
    await iterator.return?.();
  }
}
