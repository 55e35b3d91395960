import { describe, expect, test } from "vitest";
import type { AgentMessage } from "../core/types.js";
import { convert } from "./convert.js";
import { detect } from "./detect.js";

const apis = ["anthropic", "openai-chat", "openai-responses", "google", "ollama", "bedrock"] as const;

const lines = (...messages: object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join("");
const text = (said: string) => [{ type: "text", text: said }];

const question = { role: "user", content: text("Hi"), timestamp: 1234567890 };
const answer = { role: "assistant", content: text("Hello"), timestamp: 1234567891 };

/** Where each API has its system prompt. */
function promptOf(output: string): unknown {
  const { system, instructions, systemInstruction, messages } = JSON.parse(output);
  const [first] = Array.isArray(messages) ? messages : [];
  return (
    (Array.isArray(system) ? system[0].text : system) ??
    instructions ??
    systemInstruction?.parts?.[0]?.text ??
    (first?.role === "system" ? first.content : undefined)
  );
}

describe.each(apis)("a request to %s", (to) => {
  test("has the system turn that a session begins with, in blocks, as its system prompt", async () => {
    const turns = lines({ role: "system", content: text("Be brief."), timestamp: 1 }, question, answer);
    const { output, losses } = await convert(turns, { from: "openclaw-turns", to });
    expect(promptOf(output)).toBe("Be brief.");
    expect(output.match(/Be brief\./g)).toHaveLength(1);
    expect(losses.filter(({ what }) => what === "the system message")).toEqual([]);
  });

  test("joins several, also after a header, notes and status lines, and the ledger says so", async () => {
    const messages: AgentMessage[] = [
      { role: "session", id: "s1", timestamp: 1 },
      { role: "custom", customType: "dragoman/meta", data: {}, timestamp: 2 },
      { role: "system", content: "Be brief.", timestamp: 3 },
      { role: "status", state: "busy", timestamp: 4 },
      { role: "system", content: [{ type: "text", text: "Be kind." }], timestamp: 5 },
      { role: "user", content: "Hi", timestamp: 6 },
    ];
    const { output, losses } = await convert(lines(...messages), { from: "openclaw", to });
    expect(promptOf(output)).toBe("Be brief.\n\nBe kind.");
    expect(losses.filter(({ at }) => at === "/4")).toEqual([
      {
        at: "/4",
        what: "the system message",
        why: "its text is joined to the system message before it",
        severity: "approximated",
      },
    ]);
  });

  test("comes back as it was with escrow", async () => {
    const turns = lines(
      { role: "system", content: [...text("Be brief."), ...text("Be kind.")], timestamp: 1 },
      { role: "system", content: text("In French."), timestamp: 2 },
      question,
    );
    const { output } = await convert(turns, { from: "openclaw-turns", to, escrow: true });
    const back = await convert(output, { from: to, to: "openclaw-turns", escrow: true });
    expect(back.output).toBe(turns);
  });
});

test("a request to Anthropic that was made of a session with a system turn is taken for one", async () => {
  const turns = lines({ role: "system", content: text("Be brief."), timestamp: 1 }, question, answer);
  const { output } = await convert(turns, { from: "openclaw-turns", to: "anthropic" });
  expect((await detect(output))[0]?.dialect).toBe("anthropic");
});

test("system messages that a request already has stay apart", async () => {
  const body = {
    model: "m",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "system", content: "Be kind." },
      { role: "user", content: "Hi" },
    ],
  };
  const { output, losses } = await convert(JSON.stringify(body), { from: "openai-chat", to: "openai-chat" });
  expect(JSON.parse(output)).toEqual(body);
  expect(losses).toEqual([]);
});
