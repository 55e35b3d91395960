import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { type ConsoleCommand, consoleCommands } from "../support/cli/console-blocks.js";
import { runInProcess } from "../support/cli/in-process.js";
import { main, requireBuild, run } from "../support/cli/run-cli.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const examples = join(root, "docs/guide/examples");

const documents = [
  "README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map((name) => join("docs", name)),
]
  .filter((path) => path.endsWith(".md") && existsSync(join(root, path)))
  .map((path) => ({ path, commands: consoleCommands(readFileSync(join(root, path), "utf8")) }))
  .filter(({ commands }) => commands.length > 0);

beforeAll(requireBuild);

/** Runs the commands one after the other in a copy of the examples, and returns what they really print. */
async function printed(commands: readonly ConsoleCommand[]): Promise<ConsoleCommand[]> {
  const folder = mkdtempSync(join(tmpdir(), "dragoman-docs-"));
  const [work, bin] = [join(folder, "work"), join(folder, "bin")];
  try {
    cpSync(examples, work, { recursive: true });
    mkdirSync(bin);
    writeFileSync(join(bin, "dragoman"), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
    chmodSync(join(bin, "dragoman"), 0o755);
    // Whoever runs this may have keys, which are not for this.
    const env = {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env["PATH"]}`,
      // Sessions of other programs are looked for in the user's home.
      HOME: work,
      DRAGOMAN_HOME: join(work, "home"),
      DRAGOMAN_MODEL: "demo/echo",
      TZ: "UTC",
    };
    const results: ConsoleCommand[] = [];
    for (const one of commands) {
      const words = plainWords(one.command);
      const { stdout } =
        words === undefined
          ? await run("sh", ["-c", `exec 2>&1\n${one.command}`], { cwd: work, env })
          : await runInProcess(words, { cwd: work, env, input: "", merged: true });
      results.push({ ...one, output: stdout });
    }
    return results;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The arguments of a `dragoman` command that needs nothing of a shell but single quotes. */
function plainWords(command: string): string[] | undefined {
  if (!/^dragoman(?: (?:[\w./:=@,+-]+|'[^'\n]*'))*$/.test(command)) return undefined;
  return [...command.matchAll(/ (?:([\w./:=@,+-]+)|'([^'\n]*)')/g)].map(
    ([, bare, quoted]) => bare ?? quoted ?? "",
  );
}

describe("the commands in the documents print what the documents say", () => {
  test.each(documents)(
    "$path",
    async ({ commands }) => {
      expect(await printed(commands)).toEqual(commands);
    },
    180_000,
  );

  test("there are such documents", () => {
    expect(documents.map(({ path }) => path)).toContain("docs/guide/convert.md");
  });
});

test("a console block is commands, each with its output", () => {
  const markdown = [
    "text",
    "```console",
    "$ a \\",
    "  b",
    "one",
    "$ c",
    "```",
    "```sh",
    "$ d",
    "```",
    "",
  ].join("\n");
  expect(consoleCommands(markdown)).toEqual([
    { line: 3, command: "a \\\n  b", output: "one\n" },
    { line: 6, command: "c", output: "" },
  ]);
  expect(() => consoleCommands("```console\nno prompt\n```")).toThrow(
    'line 2: a console block begins with "$ "',
  );
});
