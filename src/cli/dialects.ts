import { dialects } from "../convert/dialects.js";
import { parseArguments, usageError } from "./arguments.js";
import { openOutput } from "./output.js";
import { table } from "./table.js";

export async function run(args: string[]): Promise<number> {
  const { values, file } = parseArguments("dialects", args, { json: { type: "boolean" } });
  if (file !== undefined) throw usageError("dialects", `"${file}" is too much`);
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
