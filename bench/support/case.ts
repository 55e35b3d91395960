/** A number to show, and what it should be at most or at least. */
export type Figure = number | { value: number; atMost: number } | { value: number; atLeast: number };

export interface Row {
  label: string;
  /** By column. */
  figures: Record<string, Figure>;
}

/** Does something in its own process and returns its cost in CPU milliseconds. */
export type Work = (argument: string) => Promise<number>;

/** One of several implementations of the same task. */
export interface Job {
  label: string;
  /** A key of `works`, and its argument. */
  work: string;
  argument: string;
}

export interface Sample {
  cpuMs: number;
  /** The peak memory of the process. */
  peakMb: number;
}

export type Compared<J extends Job> = J &
  Sample & { /** What it cost, in costs of the first job. */ floors: number };

export interface Host {
  /** Also run the parts that take minutes. */
  readonly full: boolean;
  /**
   * Runs the jobs in several rounds, the floor first, each in its own process, so that a noisy moment affects all of them.
   * Returns medians.
   */
  compare<J extends Job>(jobs: readonly J[]): Promise<Compared<J>[]>;
  /** Shows progress on a terminal. */
  progress(text: string): void;
  /** Adds a line below the table. */
  note(text: string): void;
}

export interface Case {
  readonly title: string;
  /** The case needs packages of `bench/peers`, which its works import by name. */
  readonly peers?: boolean;
  readonly works: Readonly<Record<string, Work>>;
  measure(host: Host): Promise<Row[]>;
}
