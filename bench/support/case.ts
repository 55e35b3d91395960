/** A number to show, and what it should be at most or at least. */
export type Figure = number | { value: number; atMost: number } | { value: number; atLeast: number };

export interface Row {
  label: string;
  /** By column. */
  figures: Record<string, Figure>;
}

/** Does something in a process of its own and returns what that cost in CPU milliseconds. */
export type Work = (argument: string) => Promise<number>;

/** One of several ways to do the same thing. */
export interface Job {
  label: string;
  /** A key of `works`, and what it is called with. */
  work: string;
  argument: string;
}

export interface Sample {
  cpuMs: number;
  /** The most memory the process ever had. */
  peakMb: number;
}

export type Compared<J extends Job> = J &
  Sample & { /** What it cost, in costs of the first job. */ floors: number };

export interface Host {
  /** Also do what takes minutes. */
  readonly full: boolean;
  /**
   * Runs the jobs, the floor first, each in a process of its own, in turns, several rounds of them, so that a noisy
   * moment falls on all alike. The results are medians.
   */
  compare<J extends Job>(jobs: readonly J[]): Promise<Compared<J>[]>;
  /** Says what is going on, if there is a terminal to say it on. */
  progress(text: string): void;
  /** Adds a line below the table. */
  note(text: string): void;
}

export interface Case {
  readonly title: string;
  /** It needs packages of `bench/peers`: its works may import them by name. */
  readonly peers?: boolean;
  readonly works: Readonly<Record<string, Work>>;
  measure(host: Host): Promise<Row[]>;
}
