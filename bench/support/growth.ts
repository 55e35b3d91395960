import { BEFORE, type Compared, type Host, type Job, type Row } from "./case.js";

/** A job, and the aim for its cost as a multiple of the floor's. */
export interface Aimed extends Job {
  atMost?: number;
}

/** The same jobs at growing sizes, each compared with the size before: ten times the size should cost ten times as much. */
export async function growth(
  host: Host,
  sizes: readonly number[],
  jobsOf: (size: number) => Aimed[],
): Promise<Row[]> {
  const rows: Row[] = [];
  let smaller: Compared<Aimed>[] = [];
  for (const size of sizes) {
    const results = await host.compare(jobsOf(size));
    for (const { label, work, atMost, cpuMs, floors } of results) {
      const before = smaller.find((other) => other.work === work && isBefore(other) === isBefore({ label }));
      rows.push({
        label,
        figures: {
          "CPU ms": cpuMs,
          "× floor": atMost === undefined ? floors : { value: floors, atMost },
          ...(before === undefined ? {} : { "× a tenth of the size": cpuMs / before.cpuMs }),
        },
      });
    }
    smaller = results;
  }
  return rows;
}

function isBefore({ label }: Pick<Row, "label">): boolean {
  return label.endsWith(BEFORE);
}

/** `1000000` → `1 MB` */
export function sizeName(bytes: number): string {
  return bytes < 1e6 ? `${bytes / 1e3} KB` : bytes < 1e9 ? `${bytes / 1e6} MB` : `${bytes / 1e9} GB`;
}
