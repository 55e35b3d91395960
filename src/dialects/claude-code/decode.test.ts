import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { convert } from "../../convert/convert.js";
import { showConversation } from "../../core/shown/conversation.js";
import type { AgentMessage } from "../../core/types.js";

function fixture(name: string): string {
  return readFileSync(new URL(`../../../conformance/claude-code/${name}.jsonl`, import.meta.url), "utf8");
}

/** The messages of the active branch. */
async function activeBranch(name: string, leaf?: string): Promise<AgentMessage[]> {
  const text = fixture(name);
  const { losses } = await convert(text, { to: "clawtools", ...(leaf === undefined ? {} : { leaf }) });
  const off = new Set(losses.filter(({ why }) => why === "it is on another branch").map(({ at }) => at));
  const lines = text.split("\n").filter((line, index) => line !== "" && !off.has(`/${index}`));
  const { output } = await convert(lines.join("\n"), { from: "claude-code", to: "openclaw" });
  return output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** What a model is shown: role and text of each message, or the ids of its calls and results. */
function shown(messages: readonly AgentMessage[]): string[] {
  return showConversation({ messages }).messages.map(({ message }) => {
    const { role, content } = message;
    const texts =
      typeof content === "string"
        ? [content]
        : content.map((block) => {
            if (block.type === "text") return block.text;
            if (block.type === "thinking") return `(${block.thinking})`;
            return block.type === "toolCall" ? `call ${block.id}` : block.type;
          });
    const of = message.role === "toolResult" ? ` ${message.toolCallId}` : "";
    return `${role}${of}: ${texts.join(" | ")}`;
  });
}

describe("what a model is shown of a session", () => {
  test("parallel calls are one answer, with all results", async () => {
    expect(shown(await activeBranch("parallel-calls"))).toEqual([
      "user: Check three things.",
      "assistant: (Three calls.) | call toolu_1 | call toolu_2 | call toolu_3",
      "toolResult toolu_2: B",
      "toolResult toolu_1: A",
      "toolResult toolu_3: C",
      "assistant: call toolu_4 | call toolu_5",
      "toolResult toolu_4: D",
      "toolResult toolu_5: E",
      "assistant: All five done.",
    ]);
  });

  test("sub-agents are on branches of their own", async () => {
    expect(shown(await activeBranch("sidechains"))).toEqual([
      "user: Ask an agent.",
      "assistant: call toolu_t | call toolu_u",
      "toolResult toolu_t: I have looked.",
      "toolResult toolu_u: I have listened.",
      "assistant: Both are back.",
    ]);
  });

  test("a last-prompt line names the branch", async () => {
    expect(shown(await activeBranch("branches"))).toEqual([
      "user: Name a bird.",
      "assistant: Gull.",
      "user: Another one.",
      "assistant: Tern.",
    ]);
    expect(shown(await activeBranch("branches", "00000006-0000-4000-8000-000000000006"))).toEqual([
      "user: Name a bird.",
      "assistant: Gull.",
      "user: A bigger one.",
      "assistant: Pelican.",
    ]);
  });

  test("after a compaction, the summary as it is and the preserved messages", async () => {
    const messages = await activeBranch("compaction");
    const second = messages.findLastIndex(({ role }) => role === "compaction");
    expect(shown(messages.slice(0, second))).toEqual([
      "user: This session continues an earlier one. Plan: boats, buoys, cake.",
      "user: Which cake?",
      "assistant: (Lemon.) | Lemon cake.",
      "user: How many buoys?",
      "assistant: Six.",
    ]);
    expect(shown(messages)).toEqual(["user: Six buoys are ordered.", "assistant: Six.", "user: Thanks."]);
  });

  test("a boundary alone cuts the history; a summary without one does not", async () => {
    expect(shown(await activeBranch("bare-boundaries"))).toEqual([
      "user: A summary in blocks.",
      "user: Three",
    ]);
  });

  test("the text of attachments, in the role that it was sent in", async () => {
    expect(shown(await activeBranch("attachments"))).toEqual([
      "user: Hello",
      "system: Platform: linux",
      "user: File a.md: | A",
      "assistant: Hello.",
    ]);
  });

  test("no loose lines, and no errors of the API", async () => {
    expect(shown(await activeBranch("loose-lines"))).toEqual(["user: Hi", "assistant: (Greet.) | Hi."]);
    expect(shown(await activeBranch("api-errors"))).toEqual(["user: Go.", "assistant: Cut at the"]);
  });
});

test("usage is that of an answer's last line", async () => {
  const answers = (await activeBranch("simple")).filter((message) => message.role === "assistant");
  expect(answers.map(({ usage }) => [usage.input, usage.output, usage.totalTokens])).toEqual([
    [12, 9, 2121],
    [12, 7, 2119],
  ]);
});

test("titles are titles of the conversation", async () => {
  const [session] = await activeBranch("titled");
  expect(session).toMatchObject({ role: "session", title: "Harbour notes" });
  const titles = (await activeBranch("loose-lines")).flatMap((message) =>
    message.role === "custom" && message.customType === "dragoman/meta" ? [message.data] : [],
  );
  expect(titles).toEqual([{ title: "Greetings" }, { title: "Greetings in the harbour" }]);
});

test("a tool's own structure is in the details", async () => {
  const results = (await activeBranch("tool-calls")).filter((message) => message.role === "toolResult");
  expect(results.map(({ toolCallId, isError, details }) => [toolCallId, isError, details])).toEqual([
    ["toolu_a", false, { stdout: "north\nsouth", stderr: "", interrupted: false, isImage: false }],
    ["toolu_b", true, "Error: File does not exist."],
    ["toolu_c", false, undefined],
    ["toolu_d", false, undefined],
    ["toolu_e", false, undefined],
    ["toolu_f", false, undefined],
  ]);
});

test("a torn last line is an error with its place", async () => {
  const torn = `${fixture("simple").trimEnd().slice(0, -20)}\n`;
  await expect(convert(torn, { from: "claude-code", to: "openclaw" })).rejects.toMatchObject({
    code: "json/syntax",
    line: 6,
  });
});
