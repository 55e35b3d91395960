const MINUTE_MS = 60_000;
const MOST_CALLERS = 10_000;

interface Bucket {
  left: number;
  at: number;
}

export interface Allowance {
  allowed: boolean;
  headers: Readonly<Record<string, string>>;
}

/** A number of requests per minute for each caller, refilled evenly. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perMinute: number, now: () => number) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  charge(caller: string): Allowance {
    const now = this.#now();
    const { left, at } = this.#buckets.get(caller) ?? { left: this.#perMinute, at: now };
    // If the clock stepped back, no time has passed.
    const passed = Math.max(0, now - at);
    const filled = Math.min(this.#perMinute, left + (passed * this.#perMinute) / MINUTE_MS);
    const allowed = filled >= 1;
    const rest = allowed ? filled - 1 : filled;
    this.#remember(caller, { left: rest, at: now });
    return { allowed, headers: this.#headers(allowed, rest) };
  }

  #remember(caller: string, bucket: Bucket): void {
    this.#buckets.delete(caller);
    this.#buckets.set(caller, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MOST_CALLERS && oldest !== undefined) this.#buckets.delete(oldest);
  }

  #headers(allowed: boolean, left: number): Record<string, string> {
    const seconds = (requests: number) => String(Math.ceil((requests * 60) / this.#perMinute));
    return {
      "x-ratelimit-limit": String(this.#perMinute),
      "x-ratelimit-remaining": String(Math.floor(left)),
      "x-ratelimit-reset": seconds(this.#perMinute - left),
      ...(allowed ? {} : { "retry-after": seconds(1 - left) }),
    };
  }
}
