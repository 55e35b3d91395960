import { expect, test } from "vitest";
import { convert } from "../../convert/convert.js";

test("a prompt is read without the tags around it", async () => {
  const line = (text: string) => JSON.stringify({ role: "user", message: { content: text } });
  const texts = [
    "<user_query>\nHi\n</user_query>",
    "<timestamp>Monday</timestamp>\n<user_query>Hi</user_query>\n",
    "<user_query>\n</user_query>",
    "see <user_query>Hi</user_query>",
    "<user_query>Hi",
  ];
  const { output } = await convert(texts.map(line).join("\n"), { from: "cursor", to: "openclaw" });
  const contents = output
    .trim()
    .split("\n")
    .map((text) => JSON.parse(text).content);
  expect(contents).toEqual(["Hi", "Hi", "", "see <user_query>Hi</user_query>", "<user_query>Hi"]);
});

test("calls get ids that differ", async () => {
  const call = { type: "tool_use", name: "Shell", input: { command: "ls" } };
  const line = JSON.stringify({ role: "assistant", message: { content: [call, call] } });
  const { output } = await convert(`${line}\n${line}\n`, { from: "cursor", to: "openclaw" });
  const ids = output
    .trim()
    .split("\n")
    .flatMap((text) => JSON.parse(text).content.map(({ id }: { id: string }) => id));
  expect(new Set(ids).size).toBe(4);
});

test("converting to it is refused", async () => {
  const line = JSON.stringify({ role: "user", content: "Hi", timestamp: 1 });
  await expect(convert(line, { from: "openclaw", to: "cursor" })).rejects.toMatchObject({
    code: "convert/one-way",
    message: "cursor is only read, not written",
    hint: "Cursor does not read its transcripts; write claude-code or another dialect",
  });
});
