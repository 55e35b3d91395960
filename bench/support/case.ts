/** A number to show, and what it should be at most or at least. */
export type Figure = number | { value: number; atMost: number } | { value: number; atLeast: number };

export interface Row {
  /** With `BEFORE` at its end, of the older version. */
  label: string;
  /** By column. */
  figures: Record<string, Figure>;
}

/** At the end of a row's label: measured with the older version that `--before` names. */
export const BEFORE = ", before";

/** A checkout of this repository with its build. */
export interface Version {
  /** `""` for this one, `BEFORE` for the older one. */
  suffix: string;
  root: string;
}

/** Does something in its own process and returns its cost in CPU milliseconds, or several times to take the median of. */
export type Work = (argument: string) => Promise<number | readonly number[]>;

/** One of several implementations of the same task. */
export interface Job {
  label: string;
  /** A key of `works`, and its argument. */
  work: string;
  argument: string;
  /** The work uses the product, so an older version can be measured beside it. */
  ours?: boolean;
}

export interface Sample {
  cpuMs: number;
  /** The 99th of 100 times, if the work returned several. */
  lateMs?: number;
  /** The peak memory of the process. */
  peakMb: number;
}

export type Compared<J extends Job> = J &
  Sample & { /** What it cost, in costs of the first job. */ floors: number };

export interface Host {
  /** Also run the parts that take minutes. */
  readonly full: boolean;
  /** This version, and the older one if there is one to compare with. */
  readonly versions: readonly [Version, ...Version[]];
  /**
   * Runs the jobs in several rounds, the floor first, each in its own process, so that a noisy moment affects all of them.
   * Each of our jobs is followed by the same job in the older version, if there is one; what that version cannot do is left
   * out, with a note. Returns medians.
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
  /** Why no older version is measured beside this one. */
  readonly onlyThisVersion?: string;
  measure(host: Host): Promise<Row[]>;
}
