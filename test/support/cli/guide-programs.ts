import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../temporary-folder.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The programs of a guide, each with the text that follows it, which is what it prints. */
export function guidePrograms(path: string): { program: string; printed: string }[] {
  const blocks = readFileSync(path, "utf8").matchAll(
    /```js\n((?:(?!```)[\s\S])*)```\n\n```text\n([\s\S]*?)```/g,
  );
  return [...blocks].map(([, program = "", printed = ""]) => ({ program, printed }));
}

/** A folder with these packages installed, as a user's project has them. */
export function projectWith(...packages: string[]): string {
  const folder = temporaryFolder();
  for (const name of packages) {
    const judge = join(root, "test/node_modules", name);
    const installed = existsSync(judge) ? judge : join(root, "node_modules", name);
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(name === "dragoman" ? root : installed, link);
  }
  return folder;
}
