import { realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { workspace } from "../support/cli/run-cli.js";

const { path, put, dragoman } = workspace();

const script = (steps: string, args: string[] = []) =>
  dragoman(["chat", "-p", "--model", "demo/script", ...args], steps, { DRAGOMAN_HOME: path("home") });

const goOn = /continue with: dragoman chat --session ([0-9A-Z]{26})\n$/;

test("a session works in the current folder or in --workspace, and keeps it", async () => {
  put("a.txt", "in the current folder\n");
  put("project/a.txt", "in the project\n");
  const read = 'call: read {"file_path":"a.txt"}';
  const first = await script(read);
  expect(first.stderr).toContain("in the current folder");
  const [, id = ""] = goOn.exec(first.stderr) ?? [];
  expect((await script(read, ["--session", id, "--workspace", "project"])).stderr).toContain(
    "in the project",
  );
  expect((await script(read, ["--session", id])).stderr).toContain("in the project");
  const { code, stderr } = await script(read, ["--workspace", "none"]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining(
      `the session's workspace "${join(realpathSync(path(".")), "none")}" does not exist`,
    ),
  });
});
