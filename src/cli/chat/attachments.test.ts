import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withImages } from "./attachments.js";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "dragoman-images-"));
  await writeFile(join(folder, "shot.png"), Buffer.from("89504e470d0a1a0a00", "hex"));
  await writeFile(join(folder, "text.png"), "text");
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const send = async (content: string) =>
  (await withImages({ role: "user", content, timestamp: 1 }, folder)).content;

test("an image that is named goes with the message", async () => {
  expect(await send("What is @shot.png?")).toEqual([
    { type: "text", text: "What is @shot.png?" },
    { type: "image", data: "iVBORw0KGgoA", mimeType: "image/png" },
  ]);
});

test("other names stay text", async () => {
  expect(await send("@none.png, me@shot.png and @notes.txt")).toBe("@none.png, me@shot.png and @notes.txt");
});

test("what is not an image is refused", async () => {
  await expect(send("@text.png")).rejects.toMatchObject({
    code: "cli/not-readable",
    message: "text.png is not a PNG, JPEG, GIF or WebP image",
  });
});
