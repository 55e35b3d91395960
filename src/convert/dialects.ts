import { loadAll } from "./detect.js";

/** What can be said of a dialect without using it. */
export interface DialectInfo {
  name: string;
  title: string;
  kind: "transcript" | "provider";
  reads: boolean;
  writes: boolean;
  /** Whether it has a live form, as `replay` writes it. */
  streams: boolean;
}

/** Every dialect there is. */
export async function dialects(): Promise<DialectInfo[]> {
  return (await loadAll()).map(({ name, title, kind, live }) => ({
    name,
    title,
    kind,
    // The contract of a dialect asks for both.
    reads: true,
    writes: true,
    streams: live !== undefined,
  }));
}
