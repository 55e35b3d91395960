import type { SessionSource } from "../../log/catalogue/types.js";
import { homeFolder } from "../../runtime/config.js";
import { openSessions, type Sessions } from "../../runtime/sessions.js";
import type { Source } from "../../runtime/sources/source.js";
import { bar, changingLine } from "../terminal/progress.js";
import { reportLine } from "../terminal/report-line.js";
import { counted } from "../terminal/table.js";

/** A home's sessions, and those that other programs keep on this computer. */
export interface SessionsHere extends Sessions {
  /** All sources other than the home, as configured. */
  sources(): Promise<readonly Source[]>;
  /** Indexes what is new in these sources. */
  index(sources: readonly Source[]): Promise<void>;
}

/** Runs `work` with a home's sessions, after updating the index. */
export async function atHome<T>(
  asked: string | undefined,
  work: (sessions: SessionsHere) => Promise<T>,
): Promise<T> {
  const home = homeFolder(process.env, asked);
  const sessions = await openSessions(home, reportLine);
  let sources: Promise<readonly Source[]> | undefined;
  try {
    await updateIndex(sessions);
    return await work({
      ...sessions,
      sources: () => {
        sources ??= readSources(home);
        return sources;
      },
      index: (chosen) => indexSources(sessions, chosen),
    });
  } finally {
    await sessions.close();
  }
}

/** Loaded only when needed: most commands read only the home. */
async function readSources(home: string): Promise<readonly Source[]> {
  const { readConfig } = await import("../../runtime/config.js");
  const { sourcesOf } = await import("../../runtime/sources/sources.js");
  return sourcesOf(await readConfig(home, process.env), process.env, reportLine);
}

async function indexSources(sessions: Sessions, sources: readonly Source[]): Promise<void> {
  for (const source of sources) await updateIndex(sessions, source);
}

async function updateIndex({ catalogue }: Sessions, source?: SessionSource): Promise<void> {
  const line = changingLine(process.stderr);
  const whose = source === undefined ? "" : ` of ${source.name}`;
  try {
    await catalogue.update({
      ...(source === undefined ? {} : { source }),
      onProgress: ({ indexed, bytes, totalBytes }) =>
        line.show(() => `${bar(bytes, totalBytes)}  ${counted(indexed, "session")}${whose} indexed`),
    });
  } finally {
    line.end();
  }
}
