import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { beforeAll, expect, test, vi } from "vitest";
import { requireBuild } from "./run-cli.js";

beforeAll(requireBuild);

const program = `
  import { builtinTools } from "dragoman/tools";
  const exec = builtinTools({ workspace: process.cwd() }).find(({ name }) => name === "exec");
  exec.execute({ command: "echo $$; sleep 1000" }, {
    toolCallId: "call_1",
    signal: new AbortController().signal,
    update({ content }) {
      console.log(content);
      process.exit();
    },
  });
`;

/** Whether there is such a process, and it is more than a zombie. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

test("a command does not outlive the program that runs it", async () => {
  const pid = Number(
    execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" }),
  );
  expect(pid).toBeGreaterThan(1);
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 });
});
