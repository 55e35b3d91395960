import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { call, failureOf } from "../../test/support/tool-call.js";
import { editTool } from "./edit.js";
import { Workspace } from "./workspace.js";

type Edit = { old_string: string; new_string: string; replace_all?: boolean };

async function edited(contents: string | Uint8Array, ...edits: Edit[]) {
  const root = temporaryFolder();
  writeFileSync(join(root, "f"), contents);
  const output = await failureOf(call(editTool(new Workspace(root)), { file_path: "f", edits }));
  return { output, contents: readFileSync(join(root, "f"), "utf8") };
}

function edit(old_string: string, new_string: string, replace_all?: boolean): Edit {
  return { old_string, new_string, ...(replace_all === undefined ? {} : { replace_all }) };
}

test("replaces, and tells what changed", async () => {
  expect(await edited("one\ntwo\nthree\n", edit("two", "2"), edit("2\nthree", "2\n3"))).toEqual({
    output: {
      content: "Edited f: 2 places replaced.",
      details: {
        file_path: "f",
        replaced: 2,
        diff: "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n-two\n-three\n+2\n+3\n",
      },
    },
    contents: "one\n2\n3\n",
  });
});

test.each<[name: string, before: string, edits: Edit[], after: string]>([
  ["every match when asked", "a b a b a", [edit("a", "c", true)], "c b c b c"],
  ["the only match when every is asked", "a b", [edit("a", "c", true)], "c b"],
  ["with text that means something to replace()", "a", [edit("a", "$& $1 $$ $`")], "$& $1 $$ $`"],
  ["with nothing", "abc", [edit("b", "")], "ac"],
  ["across lines that end in CRLF", "a\r\nb\r\nc\r\n", [edit("a\nb", "x\ny\nz")], "x\r\ny\r\nz\r\nc\r\n"],
  ["CRLF given as such", "a\r\nb\r\n", [edit("a\r\nb", "x\r\ny")], "x\r\ny\r\n"],
  ["mixed line endings as they are", "a\r\nb\nc\n", [edit("b\nc", "x\ny")], "a\r\nx\ny\n"],
  ["after a byte order mark", "\ufeffabc", [edit("abc", "def")], "\ufeffdef"],
  ["no newline at the end", "a\nb", [edit("b", "c")], "a\nc"],
])("replaces %s", async (_, before, edits, after) => {
  expect((await edited(before, ...edits)).contents).toBe(after);
});

test.each<[name: string, before: string, edits: Edit[], message: string]>([
  [
    "nothing to look for",
    "a",
    [edit("", "b")],
    "old_string is empty; to create or replace a whole file use write",
  ],
  ["nothing to do", "a", [edit("a", "a")], "old_string and new_string are the same"],
  [
    "several matches",
    "x\na\na\nx\na\n",
    [edit("a", "b")],
    "old_string is in the file 3 times (lines 2, 3, 5): include more of the text around it, or set replace_all",
  ],
  [
    "matches that overlap",
    "aaa",
    [edit("aa", "b")],
    "old_string is in the file 2 times (lines 1, 1): include more of the text around it, or set replace_all",
  ],
  [
    "very many matches",
    "a".repeat(100_000),
    [edit("a", "b")],
    "old_string is in the file more than 10 times (lines 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, …): " +
      "include more of the text around it, or set replace_all",
  ],
  [
    "other white space",
    "if (x) {\n\treturn 1;\n}\n",
    [edit("if (x) {\n  return 1;", "y")],
    'old_string is not in the file: it matches at line 1 except for white space; line 2 is "\\treturn 1;"',
  ],
  [
    "a similar line",
    "const a = 1;\nfunction greetUser(name) {\n",
    [edit("function greetUsers(names) {\n  x", "y")],
    'old_string is not in the file: the line most like its first line is line 2: "function greetUser(name) {"',
  ],
  [
    "nothing similar",
    "const a = 1;\n",
    [edit("zebra", "y")],
    "old_string is not in the file: no line is like its first line; read the file again",
  ],
  [
    "white space",
    "a",
    [edit("\n\n", "y")],
    "old_string is not in the file: it is only white space; include some of the text around it",
  ],
  [
    "a second edit that fails",
    "one two",
    [edit("one", "1"), edit("one", "2")],
    "old_string is not in the file: no line is like its first line; read the file again",
  ],
])("refuses, and changes nothing: %s", async (_, before, edits, message) => {
  expect(await edited(before, ...edits)).toEqual({ output: `tools/bad-edit: ${message}`, contents: before });
});

describe("files that cannot be edited", () => {
  test.each([
    [
      Buffer.from("caf\xe9 a", "latin1"),
      'tools/not-text: "f" is not valid UTF-8; it cannot be edited as text',
    ],
    [Buffer.from("a\0"), 'tools/not-text: "f" is a binary file; it cannot be edited as text'],
  ])("%j", async (contents, message) => {
    expect((await edited(contents, edit("a", "b"))).output).toBe(message);
  });

  test("large ones", async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, "f"), "12345");
    const tool = editTool(new Workspace(root), { maxBytes: 4 });
    expect(await failureOf(call(tool, { file_path: "f", edits: [edit("1", "2")] }))).toBe(
      'tools/too-large: "f" has 5 bytes; files of more than 4 are not edited',
    );
  });

  test("what would become too large", async () => {
    const { output } = await edited("a".repeat(10_000), edit("a", "b".repeat(100_000), true));
    expect(output).toBe("tools/too-large: the text would become too large");
  });

  test("what somebody else changed in the meantime", async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, "f"), "mine");
    const workspace = new Workspace(root);
    const location = workspace.locate("f");
    const info = await workspace.open(location, async (opened) => opened.info);
    writeFileSync(join(root, "f"), "theirs");
    expect(await failureOf(workspace.replace(location, Buffer.from("x"), info))).toBe(
      'tools/changed: "f" was changed by another program in the meantime; read it again',
    );
    expect(readFileSync(join(root, "f"), "utf8")).toBe("theirs");
    expect(readdirSync(root)).toEqual(["f"]);
  });
});

test("keeps the mode", async () => {
  const root = temporaryFolder();
  writeFileSync(join(root, "f"), "a");
  chmodSync(join(root, "f"), 0o740);
  await call(editTool(new Workspace(root)), { file_path: "f", edits: [edit("a", "b")] });
  expect(statSync(join(root, "f")).mode & 0o777).toBe(0o740);
});
