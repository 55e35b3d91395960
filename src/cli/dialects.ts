import { dialects } from "../convert/dialects.js";
import type { dialectsCommand } from "./commands.js";
import type { Arguments } from "./declaration.js";
import { openOutput } from "./files/output.js";
import { table } from "./terminal/table.js";

export async function run({ values }: Arguments<typeof dialectsCommand>): Promise<number> {
  const all = await dialects();
  const output = await openOutput("-");
  if (values.json === true) {
    await output.write(`${JSON.stringify(all)}\n`);
    return 0;
  }
  const rows = all.map(({ name, title, kind, streams }) => [name, kind, title, streams ? "streams" : ""]);
  await output.write(`${table(rows).join("\n")}\n`);
  return 0;
}
