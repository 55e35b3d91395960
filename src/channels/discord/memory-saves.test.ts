import { expect, test, vi } from "vitest";
import { folderForEachTest } from "../../../test/support/temporary-folder.js";
import { Memory } from "./memory.js";

const steps = vi.hoisted((): string[] => []);
vi.mock("node:fs/promises", async (importOriginal) => {
  const disk = await importOriginal<typeof import("node:fs/promises")>();
  const writeFile: typeof disk.writeFile = (...given) => {
    steps.push(`write ${given[1]}`);
    return disk.writeFile(...given);
  };
  const rename: typeof disk.rename = async (...given) => {
    await disk.rename(...given);
    steps.push("renamed");
  };
  return { ...disk, writeFile, rename };
});

const folder = folderForEachTest();

test("what is saved twice at once is written one after the other, for both write the same file", async () => {
  const memory = await Memory.load(folder());
  memory.record("1", "5");
  const first = memory.save();
  // The first takes what is noted until it begins, which is in the next turn.
  await Promise.resolve();
  memory.record("1", "6");
  await Promise.all([first, memory.save()]);
  expect(steps).toEqual(['write {"1":{"last":"5"}}', "renamed", 'write {"1":{"last":"6"}}', "renamed"]);
});
