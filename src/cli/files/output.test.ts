import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { folderForEachTest } from "../../../test/support/temporary-folder.js";
import { openOutput } from "./output.js";

const path = folderForEachTest();

test("a file has its name when its commit is done", async () => {
  const output = await openOutput(path("out.jsonl"));
  await output.write("one\n");
  await output.write("two\n");
  await output.commit();
  expect(readFileSync(path("out.jsonl"), "utf8")).toBe("one\ntwo\n");
});

test.each([
  ["a directory has its name by then", () => mkdirSync(path("out.jsonl")), "it is a directory"],
  ["its folder is gone by then", () => rmSync(path(), { recursive: true }), "the folder does not exist"],
])("a commit fails with the reason when %s", async (_, meanwhile, reason) => {
  const output = await openOutput(path("out.jsonl"));
  await output.write("one\n");
  meanwhile();
  await expect(output.commit()).rejects.toMatchObject({
    code: "cli/not-writable",
    message: `cannot write "${path("out.jsonl")}": ${reason}`,
  });
});
