import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { delimiter } from "node:path";
import { describe, expect, test } from "vitest";
import { main, run, workspace } from "../support/cli/run-cli.js";

const { path, put, dragoman } = workspace();

const values = async (...words: string[]) => {
  const { stdout } = await dragoman(["complete", "--", ...words]);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t")[0]);
};

describe("what a word can become", () => {
  test.each([
    [["ch"], ["chat", "check", "channels"]],
    [
      ["sessions", "s"],
      ["show", "search", "stats"],
    ],
    [["token", "create", "--sc"], ["--scope"]],
    [
      ["token", "create", "--scope", ""],
      ["read", "chat", "admin"],
    ],
    [["token", "create", "--scope=r"], ["--scope=read"]],
    [
      ["convert", "x.jsonl", "--to", "openclaw"],
      ["openclaw", "openclaw-turns"],
    ],
    [["convert", "x"], [":file"]],
    [["models", "test", "demo/e"], ["demo/echo"]],
    [["keys", "set", "anth"], ["anthropic"]],
    [["chat", "-c", "--agent", "m"], ["main"]],
    [["nosuch", ""], [""]],
  ])("%j", async (words, expected) => {
    expect(await values(...words)).toEqual(expected);
  });

  test("sessions have their titles", async () => {
    put("in.jsonl", '{"role":"user","content":"hello you","timestamp":1740000000000}\n');
    const made = await dragoman(["sessions", "import", "in.jsonl", "--home", "home"]);
    const { stdout } = await dragoman(["complete", "--", "chat", "--home", "home", "--session", ""]);
    expect(stdout).toBe(`${made.stdout.trim()}\thello you\n`);
  });
});

const has = (shell: string) => {
  try {
    execFileSync("sh", ["-c", `command -v ${shell}`]);
    return true;
  } catch {
    return false;
  }
};

/** Completes a line in a real shell, with our program on its path, and returns what it offers. */
async function inShell(shell: "bash" | "zsh" | "fish", line: string): Promise<string[]> {
  put("bin/dragoman", `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  chmodSync(path("bin/dragoman"), 0o755);
  put("notes.txt", "");
  const words = line.split(" ");
  const scripts = {
    bash: `source <(dragoman completion bash)
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}) COMP_CWORD=${words.length - 1}
_dragoman dragoman '${words.at(-1)}' '${words.at(-2)}'
printf '%s\\n' "\${COMPREPLY[@]}"`,
    zsh: `autoload -Uz compinit && compinit -u -d ${path("zdump")}
source <(dragoman completion zsh)
_describe() { print -l -- "\${(@P)2}" }
_files() { print -l -- $words[CURRENT]*(N) }
words=(${words.map((word) => `'${word}'`).join(" ")}) CURRENT=${words.length}
_dragoman`,
    fish: `dragoman completion fish | source
complete -C '${line}'`,
  };
  const { stdout } = await run(shell, ["-c", scripts[shell]], {
    cwd: path("."),
    env: { ...process.env, PATH: `${path("bin")}${delimiter}${process.env["PATH"]}`, HOME: path(".") },
  });
  return stdout
    .split("\n")
    .map((one) => one.split(/\t|(?<!\\\\):/)[0] ?? "")
    .filter((one) => one !== "")
    .sort();
}

describe.each(["bash", "zsh", "fish"] as const)("in %s", (shell) => {
  const isMissing = !has(shell);
  test.skipIf(isMissing)(`completes${isMissing ? ` (skipped: ${shell} is not installed)` : ""}`, async () => {
    expect(await inShell(shell, "dragoman sess")).toEqual(["sessions"]);
    expect(await inShell(shell, "dragoman token create --scope ")).toEqual(["admin", "chat", "read"]);
    expect(await inShell(shell, "dragoman detect note")).toEqual(["notes.txt"]);
  });
});

test("an unknown shell is refused", async () => {
  expect((await dragoman(["completion", "tcsh"])).stderr).toBe(
    'dragoman: SHELL must be one of bash, zsh, fish, not "tcsh"; see `dragoman completion --help` [cli/usage]\n',
  );
});
