import { compareBlobs, compareLines } from "../../log/copies/compare-kept.js";
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
    const kept = [await one.archive.kept(), await other.archive.kept()];
    for await (const found of compareBlobs(one.store.blobs, other.store.blobs)) differences.push(found);
    for await (const found of compareLines(one.store, other.store, kept)) differences.push(found);
    const lines = differences.map(({ name, what }) => `${name} ${what}`);
    const summary = `${counted(same, "session")} with the same bytes, ${counted(differences.length, "difference")}`;
    await writeResult(values.json, [...lines, summary].join("\n"), comparison);
    return differences.length === 0 ? 0 : 1;
  });
}
