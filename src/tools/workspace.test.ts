import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { call, failureOf } from "../../test/support/tool-call.js";
import { editTool } from "./edit.js";
import { readTool } from "./read.js";
import { Workspace } from "./workspace.js";
import { writeTool } from "./write.js";

/**
 * top/canary.txt            what must not be read nor changed
 * top/ws                    the workspace
 * top/ws-2/canary.txt       a name that begins like the workspace's
 * top/alias                 a link to the workspace
 */
function playground() {
  const top = temporaryFolder();
  const root = join(top, "ws");
  for (const folder of ["ws", "ws/sub", "ws-2"]) mkdirSync(join(top, folder));
  for (const file of ["canary.txt", "ws-2/canary.txt"]) writeFileSync(join(top, file), "canary");
  for (const file of ["a.txt", "sub/b.txt"]) writeFileSync(join(root, file), "inside");
  symlinkSync(root, join(top, "alias"));
  const links: Record<string, string> = {
    "to-canary": "../canary.txt",
    "to-top": "..",
    "to-absolute": join(top, "canary.txt"),
    "to-new": "../new.txt",
    "to-nowhere": "nowhere/at/all",
    "to-itself": "to-itself",
    "to-link": "to-top",
    "to-sub": "sub",
    "to-a": "./a.txt",
    "sub/up": "../..",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
  return { top, root };
}

function untouched(top: string): void {
  expect(readFileSync(join(top, "canary.txt"), "utf8")).toBe("canary");
  expect(readFileSync(join(top, "ws-2/canary.txt"), "utf8")).toBe("canary");
  expect(readdirSync(top).sort()).toEqual(["alias", "canary.txt", "ws", "ws-2"]);
}

const outside = 'tools/outside-workspace: "PATH" is outside the workspace TOP/ws';
const nowhere = 'tools/not-found: "PATH" leads through a symbolic link whose target does not exist';

const escapes: [path: string, expected: string][] = [
  ["../canary.txt", outside],
  ["sub/../../canary.txt", outside],
  ["./././../canary.txt", outside],
  ["sub/..//..//canary.txt", outside],
  ["TOP/canary.txt", outside],
  ["TOP/ws/../canary.txt", outside],
  ["TOP/ws-2/canary.txt", outside],
  ["../ws-2/canary.txt", outside],
  ["/etc/passwd", outside],
  ["/proc/self/environ", outside],
  ["/dev/zero", outside],
  ["..", outside],
  ["/", outside],
  ["to-canary", outside],
  ["to-absolute", outside],
  ["to-top/canary.txt", outside],
  ["to-link/canary.txt", outside],
  ["sub/up/canary.txt", outside],
  ["to-sub/up/canary.txt", outside],
  ["to-top/ws-2/canary.txt", outside],
  ["to-top/new.txt", outside],
  ["to-top/new-folder/new.txt", outside],
  ["to-new", nowhere],
  ["to-new/deeper.txt", nowhere],
  ["to-nowhere", nowhere],
  ["to-itself", 'tools/bad-path: "PATH" is a symbolic link that leads to itself'],
  ["a.txt/b", 'tools/not-found: "PATH": a part of this path is not a directory'],
  ["a.txt\0.png", 'tools/bad-path: "a.txt\\u0000.png": the path contains a NUL character'],
  [
    "~/canary.txt",
    'tools/bad-path: "~/canary.txt": the home directory is not part of the workspace; a folder named "~" is "./~"',
  ],
  [`${"x".repeat(300)}/a`, 'tools/failed: "PATH": the name is too long'],
];

describe.each([
  ["anchored", true],
  ["with a look afterwards", false],
])("a path that leads outside, %s", (_, anchored) => {
  test.each(escapes)("%j", async (pattern, expected) => {
    const { top, root } = playground();
    const path = pattern.replace("TOP", top);
    const message = expected.replace("PATH", path).replace("TOP", top);
    const workspace = new Workspace(root, anchored);
    const edits = [{ old_string: "canary", new_string: "dead" }];
    expect(await failureOf(call(readTool(workspace), { file_path: path }))).toBe(message);
    expect(await failureOf(call(writeTool(workspace), { file_path: path, content: "dead" }))).toBe(message);
    expect(await failureOf(call(editTool(workspace), { file_path: path, edits }))).toBe(message);
    untouched(top);
  });

  test.each([
    ["a.txt", "a.txt"],
    ["./sub//b.txt", "sub/b.txt"],
    ["sub/../a.txt", "a.txt"],
    ["TOP/ws/a.txt", "a.txt"],
    ["TOP/alias/sub/b.txt", "sub/b.txt"],
    ["to-sub/b.txt", "sub/b.txt"],
    ["to-a", "a.txt"],
  ])("%j stays inside", async (pattern, expected) => {
    const { top } = playground();
    const workspace = new Workspace(join(top, "alias"), anchored);
    const path = pattern.replace("TOP", top);
    expect(workspace.subject(path)).toBe(expected);
    expect(await call(readTool(workspace), { file_path: path })).toMatchObject({
      content: [{ type: "text", text: "inside" }],
    });
    await call(writeTool(workspace), { file_path: path, content: "changed" });
    expect(readFileSync(join(top, "ws", expected), "utf8")).toBe("changed");
    untouched(top);
  });

  test("a folder that is exchanged for a link between looking and opening is not entered", async () => {
    const { top, root } = playground();
    const workspace = new Workspace(root, anchored);
    const existing = workspace.locate("sub/b.txt");
    const missing = workspace.locate("sub/new.txt");
    renameSync(join(root, "sub"), join(root, "moved"));
    symlinkSync(join(top, "ws-2"), join(root, "sub"));
    const message = 'tools/changed: "sub" was replaced while it was being opened; try again';
    expect(await failureOf(workspace.open(existing, async () => "opened"))).toBe(message);
    expect(await failureOf(workspace.replace(missing, Buffer.from("dead")))).toBe(message);
    untouched(top);
    expect(readdirSync(join(top, "ws-2"))).toEqual(["canary.txt"]);
  });

  test("a file that is exchanged for a link is neither followed nor replaced", async () => {
    const { top, root } = playground();
    const workspace = new Workspace(root, anchored);
    const location = workspace.locate("sub/b.txt");
    renameSync(join(root, "sub/b.txt"), join(root, "sub/c.txt"));
    symlinkSync(join(top, "canary.txt"), join(root, "sub/b.txt"));
    const message = 'tools/changed: "sub/b.txt" became a symbolic link in the meantime; try again';
    expect(await failureOf(workspace.open(location, async () => "opened"))).toBe(message);
    expect(await failureOf(workspace.replace(location, Buffer.from("dead")))).toBe(message);
    untouched(top);
  });
});

describe("special files", () => {
  test.each([
    ["pipe", "a named pipe"],
    ["socket", "a socket"],
    ["device", "a device"],
  ])("a %s is refused without waiting", async (name, kind) => {
    const { root } = playground();
    const path = join(root, name);
    const server = createServer();
    if (name === "pipe") execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
    else if (name === "socket") await new Promise<void>((done) => server.listen(path, done));
    else {
      try {
        execFileSync("sh", ["-c", 'mknod "$0" c 1 5', path], { stdio: "pipe" });
      } catch {
        process.stderr.write("no device is made: this user may not\n");
        return;
      }
    }
    const workspace = new Workspace(root);
    const message = `tools/not-a-file: "${name}" is ${kind}, not a file`;
    expect(await failureOf(call(readTool(workspace), { file_path: name }))).toBe(message);
    expect(await failureOf(call(writeTool(workspace), { file_path: name, content: "x" }))).toBe(message);
    server.close();
  });

  test("a directory is not written", async () => {
    const { root } = playground();
    const workspace = new Workspace(root);
    const edits = [{ old_string: "a", new_string: "b" }];
    for (const path of ["sub", "."]) {
      expect(await failureOf(call(writeTool(workspace), { file_path: path, content: "x" }))).toBe(
        `tools/not-a-file: "${path}" is a directory, not a file`,
      );
      expect(await failureOf(call(editTool(workspace), { file_path: path, edits }))).toBe(
        `tools/not-a-file: "${path}" is a directory, not a file`,
      );
    }
  });
});

describe("write", () => {
  test("makes folders and the file", async () => {
    const { root } = playground();
    const output = await call(writeTool(new Workspace(root)), { file_path: "x/y/z.txt", content: "zé\n" });
    expect(output).toEqual({
      content: "Created x/y/z.txt: 4 bytes.",
      details: { file_path: "x/y/z.txt", bytes: 4, created: true },
    });
    expect(readFileSync(join(root, "x/y/z.txt"), "utf8")).toBe("zé\n");
  });

  test("keeps the mode of a file, and leaves nothing beside it", async () => {
    const { root } = playground();
    chmodSync(join(root, "sub/b.txt"), 0o751);
    const output = await call(writeTool(new Workspace(root)), { file_path: "sub/b.txt", content: "" });
    const diff = "--- a/sub/b.txt\n+++ b/sub/b.txt\n@@ -1,1 +0,0 @@\n-inside\n\\ No newline at end of file\n";
    expect(output.details).toEqual({ file_path: "sub/b.txt", bytes: 0, created: false, diff });
    expect(statSync(join(root, "sub/b.txt")).mode & 0o777).toBe(0o751);
    expect(readdirSync(join(root, "sub")).sort()).toEqual(["b.txt", "up"]);
  });

  test("a file that is not text is replaced without a diff", async () => {
    const { root } = playground();
    writeFileSync(join(root, "image.png"), Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0xff));
    const output = await call(writeTool(new Workspace(root)), { file_path: "image.png", content: "new" });
    expect(output.details).toEqual({ file_path: "image.png", bytes: 3, created: false });
  });

  test("another name of the same file keeps its contents", async () => {
    const { top, root } = playground();
    linkSync(join(top, "canary.txt"), join(root, "hard"));
    await call(writeTool(new Workspace(root)), { file_path: "hard", content: "new" });
    expect(readFileSync(join(root, "hard"), "utf8")).toBe("new");
    untouched(top);
  });

  test("half a character is refused, and nothing is written", async () => {
    const { root } = playground();
    const calling = call(writeTool(new Workspace(root)), { file_path: "half.txt", content: "ab\ud83d" });
    expect(await failureOf(calling)).toBe(
      "tools/not-text: content has half a character (a lone surrogate) at position 2; it cannot be written as UTF-8",
    );
    expect(existsSync(join(root, "half.txt"))).toBe(false);
  });
});

test("a workspace is a directory that exists", () => {
  const { root } = playground();
  expect(() => new Workspace(join(root, "none"))).toThrow(`"${join(root, "none")}" does not exist`);
  expect(() => new Workspace(join(root, "a.txt"))).toThrow("is not a directory");
});
