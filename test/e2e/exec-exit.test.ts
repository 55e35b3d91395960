import { execFileSync } from "node:child_process";
import { beforeAll, expect, test, vi } from "vitest";
import { requireBuild } from "../support/cli/run-cli.js";
import { isAlive } from "../support/process-alive.js";

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

test("a command does not outlive the program that runs it", async () => {
  const pid = Number(
    execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" }),
  );
  expect(pid).toBeGreaterThan(1);
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 });
});
