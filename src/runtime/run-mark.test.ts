import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answer } from "../../test/fakes/scripted-model.js";
import { RunMark, readMark } from "./run-mark.js";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "dragoman-mark-"));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

const unfinished = answer([]);

/** All handles are of one class. */
async function handles() {
  const handle = await open(join(folder, "any"), "w");
  await handle.close();
  const prototype: typeof handle = Object.getPrototypeOf(handle);
  return prototype;
}

test("words that a full disk did not take are written with those after them", async () => {
  const path = join(folder, "mark");
  const mark = new RunMark(path, () => "01BEFORE");
  await mark.open();
  mark.begin(unfinished);
  await mark.push({ type: "text_start", contentIndex: 0 });
  const write = vi.spyOn(await handles(), "write");
  const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  await mark.push({ type: "text_delta", contentIndex: 0, delta: "one " });
  write.mockRejectedValueOnce(full);
  await mark.push({ type: "text_delta", contentIndex: 0, delta: "two " });
  await vi.waitFor(() => expect(write).toHaveBeenCalledTimes(2));
  await mark.push({ type: "text_delta", contentIndex: 0, delta: "three" });
  await vi.waitFor(() => expect(write).toHaveBeenCalledTimes(3));
  await mark.leave();
  expect(await readMark(path)).toMatchObject({
    cut: { after: "01BEFORE", message: { content: [{ type: "text", text: "one two three" }] } },
  });
});

test("the second answer of a run is left as the first would be", async () => {
  const path = join(folder, "mark");
  const mark = new RunMark(path, () => "01BEFORE");
  await mark.open();
  for (const words of ["the first answer, which is the longer one", "second"]) {
    await mark.clear();
    mark.begin(unfinished);
    await mark.push({ type: "text_start", contentIndex: 0 });
    await mark.push({ type: "text_delta", contentIndex: 0, delta: words });
  }
  await mark.leave();
  expect(await readMark(path)).toMatchObject({
    cut: { after: "01BEFORE", message: { content: [{ type: "text", text: "second" }] } },
  });
});
