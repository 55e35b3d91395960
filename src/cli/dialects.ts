import { type DialectInfo, dialects } from "../convert/dialects.js";
import type { dialectsCommand } from "./commands.js";
import type { Arguments } from "./declaration.js";
import { writeResult } from "./sessions/result.js";
import { listing } from "./terminal/table.js";

const HEADS = ["NAME", "KIND", "TITLE", "NOTES"];

export async function run({ values }: Arguments<typeof dialectsCommand>): Promise<number> {
  const all = await dialects();
  const rows = all.map((info) => [info.name, info.kind, info.title, traitsOf(info).join(", ")]);
  await writeResult(values.json, listing([HEADS, ...rows]).join("\n"), all);
  return 0;
}

function traitsOf({ reads, writes, streams, conversations }: DialectInfo): string[] {
  return [
    ...(streams ? ["streams"] : []),
    ...(writes ? [] : ["read only"]),
    ...(reads ? [] : ["write only"]),
    ...(conversations ? ["many conversations"] : []),
  ];
}
