import { copyBlobs } from "../../log/copies/copy-blobs.js";
import { copyKept } from "../../log/copies/copy-kept.js";
import { copySessions } from "../../log/copies/copy-sessions.js";
import type { Arguments } from "../declaration.js";
import { writeResult } from "../sessions/result.js";
import { changingLine } from "../terminal/progress.js";
import { reportLine } from "../terminal/report-line.js";
import { counted } from "../terminal/table.js";
import type { copyCommand } from "./commands.js";
import { withArchives } from "./open-archive.js";

const MIB = 1024 * 1024;

export async function run({ values, words }: Arguments<typeof copyCommand>): Promise<number> {
  await withArchives(words, { mayCreate: true }, async (from, to) => {
    await to.store.ready();
    const line = changingLine(process.stderr);
    const copied = await copySessions(from.archive, to.archive, ({ sessions, bytes }) =>
      line.show(() => `${counted(sessions, "session")}, ${(bytes / MIB).toFixed(1)} MB copied`),
    ).finally(() => line.end());
    const blobs = await copyBlobs(from.store.blobs, to.store.blobs);
    const kept = await copyKept(from.store, to.store, await from.archive.kept());
    await writeResult(
      values.json,
      `copied ${counted(copied.sessions, "session")} from ${from.store.where} to ${to.store.where}`,
      { ...copied, blobs, kept },
    );
    reportLine(
      "not copied: config.json, logins at MCP servers and workspaces; copy them with the home folder",
    );
  });
  return 0;
}
