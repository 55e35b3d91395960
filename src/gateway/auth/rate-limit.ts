const MINUTE_MS = 60_000;
const MOST_CALLERS = 10_000;

interface Bucket {
  left: number;
  at: number;
}

/** What a caller may still send. */
export interface Rate {
  /** Requests per minute. */
  limit: number;
  remaining: number;
  /** Until all requests are available again, in seconds. */
  reset: number;
  /** In the gateway's own format. */
  headers: Readonly<Record<string, string>>;
}

export interface Allowance extends Rate {
  allowed: boolean;
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

  /** `perMinute` is the caller's own limit. */
  charge(caller: string, perMinute: number = this.#perMinute): Allowance {
    const now = this.#now();
    const { left, at } = this.#buckets.get(caller) ?? { left: perMinute, at: now };
    // If the clock stepped back, no time has passed.
    const passed = Math.max(0, now - at);
    const filled = Math.min(perMinute, left + (passed * perMinute) / MINUTE_MS);
    const allowed = filled >= 1;
    const rest = allowed ? filled - 1 : filled;
    this.#remember(caller, { left: rest, at: now });
    return { allowed, ...rateOf(perMinute, rest, allowed) };
  }

  #remember(caller: string, bucket: Bucket): void {
    this.#buckets.delete(caller);
    this.#buckets.set(caller, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MOST_CALLERS && oldest !== undefined) this.#buckets.delete(oldest);
  }
}

function rateOf(limit: number, left: number, allowed: boolean): Rate {
  const seconds = (requests: number) => Math.ceil((requests * 60) / limit);
  const remaining = Math.floor(left);
  const reset = seconds(limit - left);
  return {
    limit,
    remaining,
    reset,
    headers: {
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": String(remaining),
      "x-ratelimit-reset": String(reset),
      ...(allowed ? {} : { "retry-after": String(seconds(1 - left)) }),
    },
  };
}
