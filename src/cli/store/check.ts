import { compareSessions } from "../../log/copies/compare-sessions.js";
import type { Arguments } from "../declaration.js";
import { writeResult } from "../sessions/result.js";
import { counted } from "../terminal/table.js";
import type { checkCommand } from "./commands.js";
import { withArchives } from "./open-archive.js";

export async function run({ values, words }: Arguments<typeof checkCommand>): Promise<number> {
  return withArchives(words, { mayCreate: false }, async (one, other) => {
    const comparison = await compareSessions(one.archive, other.archive);
    const { same, differences } = comparison;
    const lines = differences.map(({ session, what }) => `${session} ${what}`);
    const summary = `${counted(same, "session")} with the same bytes, ${counted(differences.length, "difference")}`;
    await writeResult(values.json, [...lines, summary].join("\n"), comparison);
    return differences.length === 0 ? 0 : 1;
  });
}
