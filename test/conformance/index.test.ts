import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { convert } from "../../src/convert/convert.js";
import { knownName } from "../../src/convert/detect.js";
import { type DialectInfo, dialects } from "../../src/convert/dialects.js";
import { DragomanError } from "../../src/core/index.js";

const corpus = new URL("../../conformance/", import.meta.url);

function filesIn(folder: string): string[] {
  try {
    return readdirSync(new URL(folder, corpus), { withFileTypes: true })
      .filter((entry) => entry.isFile() && !/^(PROVENANCE\.md|expected\.json)$/.test(entry.name))
      .map(({ name }) => `${folder}${name}`)
      .sort();
  } catch {
    return [];
  }
}

/** Files of the same name in another folder of the dialect, whatever their extension. */
function companionIn(folder: string, file: string): string | undefined {
  const stem = file.replace(/^.*\//, "").replace(/\.\w+$/, "");
  return filesIn(folder).find((other) => other.startsWith(`${folder}${stem}.`));
}

async function refusalOf(file: string, name: string): Promise<object> {
  const from = knownName(name);
  const error: unknown = await convert(readFileSync(new URL(file, corpus)), { from, to: "openclaw" }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DragomanError)) throw new Error(`${file} is not refused`);
  const { code, at, line, column, message } = error;
  return { file, code, at, line, column, why: message };
}

async function entryOf({ name, title, kind, reads, writes, conversations }: DialectInfo) {
  const files = filesIn(`${name}/`);
  const rejected = reads ? filesIn(`${name}/rejected/`) : [];
  return {
    dialect: name,
    title,
    kind,
    reads,
    writes,
    conversations,
    files: files.map((file) =>
      reads
        ? { file, decoded: companionIn(`${name}/decoded/`, file) }
        : {
            decoded: file,
            written: companionIn(`${name}/written/`, file),
            losses: companionIn(`${name}/losses/`, file),
          },
    ),
    rejected: await Promise.all(rejected.map((file) => refusalOf(file, name))),
  };
}

test("the index lists every file, what it means, and why it is refused", async () => {
  const list = await Promise.all((await dialects()).map(entryOf));
  for (const { files } of list) {
    for (const entry of files) expect(Object.values(entry), JSON.stringify(entry)).not.toContain(undefined);
  }
  await expect(`${JSON.stringify(list, undefined, 2)}\n`).toMatchFileSnapshot(
    fileURLToPath(new URL("index.json", corpus)),
  );
});
