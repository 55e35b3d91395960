import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { DragomanError } from "../../core/error.js";
import {
  configPath,
  findConfigProblems,
  homeFolder,
  readConfigText,
  replaceConfig,
} from "../../runtime/config.js";
import type { Arguments } from "../declaration.js";
import { describeError } from "../terminal/errors.js";
import { reportLine } from "../terminal/report-line.js";
import type { configEditCommand } from "./commands.js";
import { reportChange } from "./report-change.js";

export async function run({ values }: Arguments<typeof configEditCommand>): Promise<number> {
  const home = homeFolder(process.env, values.home);
  const before = await readConfigText(home);
  // Only its owner can read the folder: the copy contains secrets.
  const folder = await mkdtemp(join(tmpdir(), "dragoman-config-"));
  try {
    const copy = join(folder, "config.json");
    await writeFile(copy, before.endsWith("\n") ? before : `${before}\n`, { mode: 0o600 });
    const after = await editUntilValid(copy, configPath(home));
    if (after === undefined) {
      reportLine("nothing was changed");
      return 1;
    }
    if (after.trim() === before.trim()) {
      reportLine("nothing was changed");
      return 0;
    }
    await replaceConfig(home, async (current) => {
      if (current === before) return after;
      throw new DragomanError(
        "config/invalid",
        "the configuration was changed by another program meanwhile",
        {
          hint: "run `dragoman config edit` again",
        },
      );
    });
    reportLine(`${configPath(home)} is saved`);
    await reportChange(home);
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Undefined if the user gives up. */
async function editUntilValid(copy: string, path: string): Promise<string | undefined> {
  for (;;) {
    openEditor(copy);
    const text = await readFile(copy, "utf8");
    const problems = await findConfigProblems(text, path);
    if (problems.length === 0) return text;
    for (const problem of problems) reportLine(describeError(problem));
    if (!(await wantsToEditAgain())) return undefined;
  }
}

function openEditor(file: string): void {
  const { VISUAL = "", EDITOR = "" } = process.env;
  const editor = VISUAL || EDITOR || "vi";
  // Editors are often set with options, as in `code --wait`.
  const { status, error } = spawnSync("sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" });
  if (error === undefined && status === 0) return;
  throw new DragomanError("cli/usage", `the editor "${editor}" failed`, {
    hint: "set EDITOR to an editor such as nano",
  });
}

async function wantsToEditAgain(): Promise<boolean> {
  if (process.stdin.isTTY !== true) return false;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question("Edit it again? [Y/n] ");
  lines.close();
  return !/^n/i.test(answer.trim());
}
