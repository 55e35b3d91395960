/** A file of these records, one on each line. */
export function lines(...records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

const usage = {
  input: 412,
  output: 58,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 470,
  cost: { input: 0.006, output: 0.004, cacheRead: 0, cacheWrite: 0, total: 0.01 },
};

const answer = (timestamp: number, ...content: readonly object[]) => ({
  role: "assistant",
  content,
  api: "anthropic-messages",
  provider: "anthropic",
  model: "claude-opus-4-6",
  usage,
  stopReason: content.some((block) => "arguments" in block) ? "toolUse" : "stop",
  timestamp,
});

const question = { role: "user", content: "What does greet.ts print?", timestamp: 1768469400000 };
const call = answer(
  1768469402000,
  { type: "text", text: "Let me look." },
  { type: "toolCall", id: "call_1", name: "read", arguments: { path: "src/greet.ts" } },
);
const result = {
  role: "toolResult",
  toolCallId: "call_1",
  toolName: "read",
  content: [{ type: "text", text: 'console.log("Hello, world");' }],
  isError: false,
  timestamp: 1768469403000,
};
const end = answer(1768469404000, { type: "text", text: "It prints “Hello, world”." });

/** A question, a call with its result, an answer. */
export const conversation = lines(question, call, result, end);

/** A call without a result, and a last line that was cut off. */
export const broken = `${lines(question, call, end)}{"role":"user","content":"And no`;

const said = (id: string, parentId: string | null, content: string) => ({
  role: "user",
  content,
  id,
  parentId,
  timestamp: 1768469400000,
});

/** One question that was taken up in two ways. */
export const branches = lines(
  said("m1", null, "Name a river."),
  said("m2", "m1", "In Europe, I mean."),
  said("m3", "m2", "A long one."),
  said("m4", "m1", "In Africa, I mean."),
);

/** Questions about rivers. Each answer thinks, reads a file and ends with a text; every fifth file but the first cannot be read. */
export function longWork(questions: number): string {
  const records = Array.from({ length: questions }, (_, at) => {
    const time = 1768469400000 + at * 60_000;
    const isError = at > 0 && at % 5 === 0;
    const id = `call_${at}`;
    // Longer than what is shown of a result at first.
    const text = `${"a quiet line of the file\n".repeat(300)}the spring of river ${at}`;
    return [
      { role: "user", content: `Tell me about river ${at}.`, timestamp: time },
      answer(
        time + 1000,
        { type: "thinking", thinking: "It should be in the file." },
        { type: "toolCall", id, name: "read", arguments: { path: `rivers/${at}.txt` } },
      ),
      {
        role: "toolResult",
        toolCallId: id,
        toolName: "read",
        content: [{ type: "text", text: isError ? "no such file" : text }],
        isError,
        timestamp: time + 3000,
      },
      answer(time + 5000, { type: "text", text: "It is **long**." }),
    ];
  });
  return lines(...records.flat());
}
