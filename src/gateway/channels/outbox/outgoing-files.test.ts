import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { folderForEachTest } from "../../../../test/support/temporary-folder.js";
import { openFile, withFiles } from "./outgoing-files.js";

const inFolder = folderForEachTest();

function workspace(): string {
  const root = inFolder("workspace");
  mkdirSync(`${root}/out`, { recursive: true });
  writeFileSync(`${root}/out/my chart.png`, Buffer.from("89504e470d0a1a0a", "hex"));
  writeFileSync(inFolder("secret"), "x");
  symlinkSync(inFolder("secret"), `${root}/way-out`);
  return root;
}

test("files of the workspace that an answer names go with it, each once", () => {
  const text = "![](out/my%20chart.png) See [the chart](<out/my%20chart.png>).";
  expect(withFiles({ text, isError: true }, workspace(), 8)).toEqual({
    text: "See the chart.",
    mediaUrls: ["workspace:out/my%20chart.png"],
    isError: true,
  });
});

test.each([
  "[a](https://example.com/x.png)",
  "[b](../secret)",
  "[c](way-out)",
  "[d](/etc/passwd)",
  "[e](file:///etc/passwd)",
  "[f](none.png)",
  "[g](%zz)",
  "[h](.)",
  "[j](out)",
  "[i](#top)",
])("%s stays text", (text) => {
  expect(withFiles({ text }, workspace(), 8)).toEqual({ text });
});

test("of files that cannot be sent people are told", () => {
  const root = workspace();
  writeFileSync(`${root}/big.zip`, "123456789");
  writeFileSync(`${root}/empty.txt`, "");
  expect(withFiles({ text: "Here: [all](big.zip), [notes](empty.txt)" }, root, 8)).toEqual({
    text: "Here: all (the file `big.zip` is too large to send here), notes (the file `empty.txt` is empty)",
  });
});

test("without a workspace every link is a link", () => {
  expect(withFiles({ text: "[a](a.png)" }, inFolder("nowhere"), 8)).toEqual({ text: "[a](a.png)" });
});

test("a file is opened by its link, with its name and what it is", async () => {
  const media = await openFile("workspace:out/my%20chart.png", () => workspace(), 8);
  expect({ ...media, bytes: media.bytes.length }).toEqual({
    bytes: 8,
    mimeType: "image/png",
    name: "my chart.png",
  });
});

test.each([
  ["workspace:../secret", 8, "tools/outside-workspace"],
  ["workspace:way-out", 8, "tools/outside-workspace"],
  ["workspace:out", 8, "tools/not-a-file"],
  ["workspace:out/my%20chart.png", 7, "tools/too-large"],
  ["file:///etc/passwd", 8, "tools/bad-path"],
])("%s of at most %i bytes is refused with %s", async (url, mostBytes, code) => {
  await expect(openFile(url, () => workspace(), mostBytes)).rejects.toMatchObject({ code });
});
