import { describe, expect, test } from "vitest";
import { bytesOf } from "../../test/generate/chunks.js";
import { convert, convertStream } from "./convert.js";
import { detect, detectOne, load } from "./detect.js";

const line = (message: object) => `${JSON.stringify(message)}\n`;
const question = { role: "user", content: "Hi", timestamp: 1_740_000_000_000 };

describe("places", () => {
  test("what a repeated key said first is a loss", async () => {
    const source = '{"role":"user","content":"first","content":"b","timestamp":1740000000000}\n';
    const { losses } = await convert(source, { from: "openclaw", to: "openclaw" });
    expect(losses).toEqual([
      {
        at: "/0",
        what: 'what "content" said first',
        why: "the key is repeated; the last one counts",
        severity: "dropped",
      },
    ]);
  });

  test("a bad line is named with its line and column", async () => {
    const text = `${line(question)}\n${line({ ...question, content: 7 })}`;
    await expect(convert(text, { from: "openclaw", to: "openclaw" })).rejects.toMatchObject({
      code: "model/invalid",
      at: "/1/content",
      line: 3,
      column: 26,
      message: "expected string or array, found 7",
    });
  });

  test("a number that a double cannot hold is a loss", async () => {
    const text = '{"role":"user","content":"Hi","timestamp":1740000000000,"chat":12345678901234567890}\n';
    const { losses } = await convert(text, { from: "openclaw", to: "openclaw" });
    expect(losses).toEqual([
      {
        at: "/0",
        what: "the number 12345678901234567890",
        why: "a double holds it as 12345678901234567000",
        severity: "approximated",
      },
    ]);
  });
});

test("a stream gives bytes as they come, and at its end the number of messages", async () => {
  const openclaw = await load("openclaw");
  const lines = ["Grüße", "😀"].map((content) => line({ ...question, content }));
  const open = async function* () {
    for (const text of lines) yield bytesOf(text);
  };
  const stream = convertStream(open, { from: openclaw, to: openclaw });
  let output = "";
  let next = await stream.next();
  for (; next.done !== true; next = await stream.next()) output += new TextDecoder().decode(next.value);
  expect(output).toBe(lines.join(""));
  expect(next.value).toBe(2);
});

describe("branches", () => {
  const tree =
    line({ ...question, id: "r", parentId: null }) +
    line({ ...question, content: "one", id: "a", parentId: "r" }) +
    line({ ...question, content: "two", id: "b", parentId: "r" }) +
    line({ ...question, content: "no tree" });

  test("all are kept where the target has them", async () => {
    const { output, losses } = await convert(tree, { from: "openclaw", to: "openclaw" });
    expect(output).toBe(tree);
    expect(losses).toEqual([]);
  });

  test("a leaf chooses one, and the ledger names the rest", async () => {
    const { output, losses } = await convert(tree, { from: "openclaw", to: "openclaw", leaf: "a" });
    expect(output.match(/"content":"[^"]+"/g)).toEqual([
      '"content":"Hi"',
      '"content":"one"',
      '"content":"no tree"',
    ]);
    expect(losses).toEqual([
      { at: "/2", what: "the user message", why: "it is on another branch", severity: "dropped" },
    ]);
  });

  test("a leaf that does not exist is an error", async () => {
    await expect(convert(tree, { from: "openclaw", to: "openclaw", leaf: "zz" })).rejects.toMatchObject({
      code: "convert/no-leaf",
    });
  });

  test("a cycle ends", async () => {
    const cycle =
      line({ ...question, id: "a", parentId: "b" }) + line({ ...question, id: "b", parentId: "a" });
    const { output } = await convert(cycle, { from: "openclaw", to: "openclaw", leaf: "a" });
    expect(output).toBe(cycle);
  });
});

describe("detect", () => {
  test("an empty input is said to be empty", async () => {
    expect(await detect("")).toEqual([]);
    await expect(detectOne(" \n")).rejects.toMatchObject({
      code: "convert/undetected",
      message: "the input is empty",
    });
  });

  test("what is nothing we know is said to be so", async () => {
    await expect(detectOne("hello")).rejects.toMatchObject({
      code: "convert/undetected",
      message: "no dialect fits the input",
    });
  });
});
