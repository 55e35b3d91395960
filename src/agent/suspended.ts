/** The reason of an abort that only ends the process's part of a run: another process resumes the calls that wait for an answer. */
export class Suspended extends Error {
  override readonly name = "AbortError";

  constructor() {
    super("the run is suspended");
  }
}

export function isSuspended(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason instanceof Suspended;
}
