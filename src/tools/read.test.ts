import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { call, failureOf } from "../../test/support/tool-call.js";
import { type ReadLimits, readTool } from "./read.js";
import { Workspace } from "./workspace.js";

function prepared(contents: string | Uint8Array, limits: Partial<ReadLimits> = {}) {
  const root = temporaryFolder();
  writeFileSync(join(root, "f"), contents);
  return readTool(new Workspace(root), limits);
}

function text(...texts: string[]) {
  return texts.map((one) => ({ type: "text", text: one }));
}

const five = "1\n2\n3\n4\n5\n";

describe("text", () => {
  test.each<
    [
      name: string,
      contents: string,
      args: { offset?: number; limit?: number },
      content: string[],
      lines: object,
    ]
  >([
    ["all of it", five, {}, [five], { firstLine: 1, lines: 5, totalLines: 5 }],
    [
      "from line 0, which is the first",
      five,
      { offset: 0, limit: 200 },
      [five],
      { firstLine: 1, lines: 5, totalLines: 5 },
    ],
    [
      "the first lines",
      five,
      { limit: 2 },
      ["1\n2\n", "[cut after line 2 of 5; continue with offset 3]"],
      { firstLine: 1, lines: 2, totalLines: 5 },
    ],
    [
      "lines in the middle",
      five,
      { offset: 3, limit: 2 },
      ["3\n4\n", "[cut after line 4 of 5; continue with offset 5]"],
      { firstLine: 3, lines: 2, totalLines: 5 },
    ],
    ["the last lines", five, { offset: 4, limit: 2 }, ["4\n5\n"], { firstLine: 4, lines: 2, totalLines: 5 }],
    [
      "after the end",
      five,
      { offset: 6 },
      ["[line 6 does not exist: the file has 5 lines]"],
      { firstLine: 6, lines: 0, totalLines: 5 },
    ],
    ["no newline at the end", "1\n2", { offset: 2 }, ["2"], { firstLine: 2, lines: 1, totalLines: 2 }],
    ["nothing", "", {}, ["[the file is empty]"], { firstLine: 1, lines: 0, totalLines: 0 }],
    ["one empty line", "\n", {}, ["\n"], { firstLine: 1, lines: 1, totalLines: 1 }],
    [
      "CRLF as it is",
      "1\r\n2\r\n",
      { limit: 1 },
      ["1\r\n", "[cut after line 1 of 2; continue with offset 2]"],
      { firstLine: 1, lines: 1, totalLines: 2 },
    ],
    ["no byte order mark", "\ufeffa", {}, ["a"], { firstLine: 1, lines: 1, totalLines: 1 }],
    [
      "U+FEFF further on",
      "a\n\ufeffb",
      { offset: 2 },
      ["\ufeffb"],
      { firstLine: 2, lines: 1, totalLines: 2 },
    ],
  ])("%s", async (_, contents, args, content, lines) => {
    expect(await call(prepared(contents), { file_path: "f", ...args })).toEqual({
      content: text(...content),
      details: { file_path: "f", kind: "text", ...lines },
    });
  });

  test.each<[name: string, contents: string, limits: Partial<ReadLimits>, content: string[]]>([
    ["lines", five, { maxLines: 3 }, ["1\n2\n3\n", "[cut after line 3 of 5; continue with offset 4]"]],
    [
      "bytes, whole lines",
      "aaaa\nbbbb\ncccc\n",
      { maxBytes: 11 },
      ["aaaa\nbbbb\n", "[cut after line 2 of 3; continue with offset 3]"],
    ],
    ["bytes, exactly", "aaaa\nbbbb\n", { maxBytes: 10 }, ["aaaa\nbbbb\n"]],
    [
      "bytes, no newline at the end",
      "aaaa\nbbbb",
      { maxBytes: 8 },
      ["aaaa\n", "[cut after line 1 of 2; continue with offset 2]"],
    ],
    [
      "a line of its own",
      "aaaaaaaa\nb",
      { maxBytes: 4 },
      ["aaaa", "[line 1 of 2 is too long: only its beginning is shown; continue with offset 2]"],
    ],
    [
      "a line of its own, the last",
      "aaaaaaaa",
      { maxBytes: 4 },
      ["aaaa", "[line 1 of 1 is too long: only its beginning is shown]"],
    ],
    [
      "within a character",
      "aéé",
      { maxBytes: 4 },
      ["aé", "[line 1 of 1 is too long: only its beginning is shown]"],
    ],
    [
      "within a character of four bytes",
      "a😀b",
      { maxBytes: 4 },
      ["a", "[line 1 of 1 is too long: only its beginning is shown]"],
    ],
  ])("is limited: %s", async (_, contents, limits, content) => {
    expect((await call(prepared(contents, limits), { file_path: "f" })).content).toEqual(text(...content));
  });

  test("lines that end where chunks do are whole", async () => {
    const line = `${"x".repeat(65_535)}\n`;
    const tool = prepared(`${line}${line}end\n`, { maxBytes: 200_000 });
    expect((await call(tool, { file_path: "f", offset: 2 })).content).toEqual(text(`${line}end\n`));
  });

  test("of a huge file only what is shown is kept, and it is not counted to the end", async () => {
    const root = temporaryFolder();
    const lines = "0123456789\n".repeat(1000);
    writeFileSync(join(root, "huge"), lines);
    truncateSync(join(root, "huge"), 10 * 2 ** 30);
    const before = process.memoryUsage().arrayBuffers;
    const output = await call(readTool(new Workspace(root)), { file_path: "huge", limit: 1 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
    expect(output).toEqual({
      content: text("0123456789\n", "[cut after line 1 of more; continue with offset 2]"),
      details: { file_path: "huge", kind: "text", firstLine: 1, lines: 1 },
    });
  });

  test("other encodings are said to be so", async () => {
    const tool = prepared(Buffer.from("caf\xe9\n", "latin1"));
    expect((await call(tool, { file_path: "f" })).content).toEqual(
      text("caf\ufffd\n", "[bytes that are not UTF-8 are shown as \ufffd; edit cannot change this file]"),
    );
  });

  test("reading can be stopped", async () => {
    const run = { signal: AbortSignal.abort(new Error("stopped")) };
    await expect(call(prepared(five), { file_path: "f" }, run)).rejects.toThrow("stopped");
  });
});

test.each([
  ["89504e470d0a1a0a0000000d", "image/png", "iVBORw0KGgoAAAAN"],
  ["ffd8ffe000104a464946", "image/jpeg", "/9j/4AAQSkZJRg=="],
  ["474946383961010001", "image/gif", "R0lGODlhAQAB"],
  ["524946461a00000057454250", "image/webp", "UklGRhoAAABXRUJQ"],
])("an image is shown: %s", async (hex, mimeType, data) => {
  const bytes = Buffer.from(hex, "hex");
  const output = await call(prepared(bytes), { file_path: "f" });
  expect(output.content).toMatchObject([{ type: "text" }, { type: "image", mimeType, data }]);
  expect(output.details).toEqual({ file_path: "f", kind: "image", mimeType, bytes: bytes.length });
});

test("an image that is just as large as it may be is shown, and a larger one is refused", async () => {
  const bytes = Buffer.from("89504e470d0a1a0a00", "hex");
  const shown = await call(prepared(bytes, { maxImageBytes: 9 }), { file_path: "f" });
  expect(shown.details).toMatchObject({ kind: "image", bytes: 9 });
  const tool = prepared(bytes, { maxImageBytes: 8 });
  expect(await failureOf(call(tool, { file_path: "f" }))).toBe(
    'tools/too-large: "f" is a PNG image of 9 bytes; the limit is 8. Make it smaller first',
  );
});

test.each([
  ["255044462d312e37", "a PDF document"],
  ["504b030414000000", "a ZIP archive (also .docx, .xlsx, .jar)"],
  ["7f454c4602010100", "an ELF program or library"],
  ["53514c69746520666f726d6174203300", "an SQLite database"],
  ["fffe68006900", "UTF-16 text"],
  ["6162630064", "a binary file"],
  [`${"61".repeat(9000)}00`, "a binary file"],
])("a binary file is refused with its kind: %s", async (hex, kind) => {
  const outcome = await failureOf(call(prepared(Buffer.from(hex, "hex")), { file_path: "f" }));
  expect(outcome).toBe(`tools/not-text: "f" is ${kind}; it cannot be read as text`);
});

describe("a directory", () => {
  test("is listed", async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, "src"));
    writeFileSync(join(root, "b.txt"), "");
    symlinkSync("/", join(root, "a"));
    expect(await call(readTool(new Workspace(root)), { file_path: "." })).toEqual({
      content: "a@\nb.txt\nsrc/\n[a directory; read one of its files]",
      details: { file_path: ".", kind: "directory", entries: 3 },
    });
  });

  test("of many names shows some", async () => {
    const root = temporaryFolder();
    for (const name of ["a", "b", "c"]) writeFileSync(join(root, name), "");
    const output = await call(readTool(new Workspace(root), { maxEntries: 2 }), { file_path: "." });
    expect(output.details).toEqual({ file_path: ".", kind: "directory", entries: 2 });
    expect(output.content).toMatch(/\n\[only 2 names are shown; the directory has more\]$/);
  });
});

test("a file that is not there", async () => {
  expect(await failureOf(call(prepared(""), { file_path: "g" }))).toBe('tools/not-found: "g" does not exist');
});
