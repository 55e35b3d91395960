import { dialects } from "../convert/dialects.js";
import type { dialectsCommand } from "./commands.js";
import type { Arguments } from "./declaration.js";
import { writeResult } from "./sessions/result.js";
import { table } from "./terminal/table.js";

export async function run({ values }: Arguments<typeof dialectsCommand>): Promise<number> {
  const all = await dialects();
  const rows = all.map(({ name, title, kind, streams }) => [name, kind, title, streams ? "streams" : ""]);
  await writeResult(values.json, table(rows).join("\n"), all);
  return 0;
}
