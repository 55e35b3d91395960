const WARM_UP_MS = 300;
const SAMPLE_MS = 100;
const SAMPLES = 5;
/** Work that takes at least this long is measured without repetition. */
const LONG_MS = 1000;

/** CPU milliseconds of all threads, including garbage collection. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  const result = work();
  if (result instanceof Promise) await result;
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** CPU milliseconds of one call in a warm process. */
export async function cpuPerCall(once: () => unknown): Promise<number> {
  const first = await cpuOf(once);
  if (first > LONG_MS) return first;
  const repeat = async (count: number) => {
    for (let call = 0; call < count; call++) {
      const result = once();
      if (result instanceof Promise) await result;
    }
  };
  let calls = 0;
  let warmUp = 0;
  while (warmUp < WARM_UP_MS) {
    const batch = Math.max(1, calls);
    warmUp += await cpuOf(() => repeat(batch));
    calls += batch;
  }
  const perSample = Math.ceil((SAMPLE_MS / warmUp) * calls);
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    samples.push((await cpuOf(() => repeat(perSample))) / perSample);
  }
  return median(samples);
}

/** The 99th of 100. */
export function late(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("there is no median of nothing");
  return middle;
}
