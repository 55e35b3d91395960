/** Marks a period without events. */
export const SILENCE = Symbol("silence");

/** The source's items, with a mark for each period of `ms` milliseconds without one. */
export async function* withSilences<T>(
  source: AsyncIterable<T>,
  ms: number,
): AsyncGenerator<T | typeof SILENCE> {
  const iterator = source[Symbol.asyncIterator]();
  let wake: ((mark: typeof SILENCE) => void) | undefined;
  // One timer for the whole stream: a timer per event would cost more than the event.
  const timer = setTimeout(() => wake?.(SILENCE), ms);
  try {
    for (;;) {
      const coming = iterator.next();
      // If it fails after the reader has left, the error has no receiver.
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
