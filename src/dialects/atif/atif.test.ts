import { describe, expect, test } from "vitest";
import { check } from "../../convert/check.js";
import { convert } from "../../convert/convert.js";
import { repair } from "../../convert/repair.js";

const lines = (...messages: object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join("");
const user = (content: unknown) => ({ role: "user", content, timestamp: 1_767_225_600_000 });
const usage = {
  input: 10,
  output: 2,
  cacheRead: 5,
  cacheWrite: 1,
  totalTokens: 18,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.25 },
};
const answer = (...content: object[]) => ({
  role: "assistant",
  content,
  api: "acme",
  provider: "acme",
  model: "reed-2",
  usage,
  stopReason: "toolUse",
  timestamp: 1_767_225_601_000,
});
const call = (id: string) => ({ type: "toolCall", id, name: "look", arguments: { at: id } });
const result = (id: string, isError = false) => ({
  role: "toolResult",
  toolCallId: id,
  toolName: "look",
  content: [{ type: "text", text: "seen" }],
  isError,
  timestamp: 1_767_225_602_000,
});

async function written(...messages: object[]) {
  const { output } = await convert(lines(...messages), { from: "openclaw", to: "atif" });
  return JSON.parse(output);
}

describe("writing", () => {
  test("a step has the answer, its calls, their results and its usage", async () => {
    const document = await written(
      user("Look."),
      answer({ type: "text", text: "I look." }, call("a")),
      result("a"),
    );
    expect(document).toEqual({
      schema_version: "ATIF-v1.4",
      session_id: "unknown",
      agent: { name: "unknown", version: "unknown" },
      steps: [
        { step_id: 1, timestamp: "2026-01-01T00:00:00.000Z", source: "user", message: "Look." },
        {
          step_id: 2,
          timestamp: "2026-01-01T00:00:01.000Z",
          source: "agent",
          model_name: "reed-2",
          message: "I look.",
          metrics: {
            prompt_tokens: 16,
            completion_tokens: 2,
            cached_tokens: 5,
            cost_usd: 0.25,
            extra: { cache_creation_input_tokens: 1 },
          },
          tool_calls: [{ tool_call_id: "a", function_name: "look", arguments: { at: "a" } }],
          observation: { results: [{ source_call_id: "a", content: "seen" }] },
          extra: { result_timestamps: ["2026-01-01T00:00:02.000Z"] },
        },
      ],
    });
  });

  test.each([
    ["text", "ATIF-v1.4", [user([{ type: "text", text: "a" }])]],
    ["an image by address", "ATIF-v1.6", [user([{ type: "image", url: "https://example.org/a.png" }])]],
    [
      "an image as bytes, which is dropped",
      "ATIF-v1.4",
      [user([{ type: "image", data: "AA==", mimeType: "image/png" }])],
    ],
    [
      "an image of a type that validators refuse",
      "ATIF-v1.4",
      [user([{ type: "image", url: "a.svg", mimeType: "image/svg+xml" }])],
    ],
    ["a failed result", "ATIF-v1.7", [answer(call("a")), result("a", true)]],
    ["audio", "ATIF-v1.8", [user([{ type: "audio", url: "a.wav", mimeType: "audio/wav" }])]],
  ])("the lowest version that fits: %s", async (_, version, messages) => {
    expect((await written(...messages)).schema_version).toBe(version);
  });

  test("a result after another message has a step of its own, which names the call in extra", async () => {
    const { steps } = await written(answer(call("a")), user("Wait."), result("a"));
    expect(steps[2]).toEqual({
      step_id: 3,
      timestamp: "2026-01-01T00:00:02.000Z",
      source: "system",
      message: "",
      observation: { results: [{ content: "seen" }] },
      extra: { tool_call_id: "a", function_name: "look" },
    });
  });

  test("escrow is in extra, so that validators accept the document", async () => {
    const { output } = await convert(lines(user("a"), { role: "status", state: "busy", timestamp: 1 }), {
      from: "openclaw",
      to: "atif",
      escrow: true,
    });
    const { steps, ...header } = JSON.parse(output);
    expect(Object.keys(header)).toEqual(["schema_version", "session_id", "agent"]);
    expect(Object.keys(steps[0])).toEqual(["step_id", "timestamp", "source", "message", "extra"]);
    expect(Object.keys(steps[0].extra)).toEqual(["x-dragoman"]);
    expect((await check(output)).problems).toEqual([]);
  });
});

describe("versions", () => {
  const document = (minor: number, step: object) =>
    JSON.stringify({
      schema_version: `ATIF-v1.${minor}`,
      session_id: "s",
      agent: { name: "a", version: "1" },
      steps: [{ step_id: 1, source: "user", message: "hello", ...step }],
    });

  test("a file keeps its version, and a message from elsewhere raises it", async () => {
    const { output } = await convert(document(5, {}), { to: "openclaw" });
    const same = await convert(output, { from: "openclaw", to: "atif" });
    expect(JSON.parse(same.output).schema_version).toBe("ATIF-v1.5");
    const more = `${output}${lines(user([{ type: "image", url: "b.gif" }]))}`;
    const raised = await convert(more, { from: "openclaw", to: "atif" });
    expect(JSON.parse(raised.output).schema_version).toBe("ATIF-v1.6");
  });

  test("check names keys that the declared version does not have, and unknown keys", async () => {
    const { problems } = await check(document(4, { message: [{ type: "text", text: "a" }], mood: 1 }));
    expect(problems.map(({ at, code }) => [at, code])).toEqual([
      ["/steps/0/message", "atif/newer-key"],
      ["/steps/0/mood", "atif/unknown-key"],
    ]);
  });

  test("check requires a session id before 1.7", async () => {
    const codes = async (minor: number) => {
      const { session_id: _, ...rest } = JSON.parse(document(minor, {}));
      return (await check(JSON.stringify(rest))).problems.map(({ at, code }) => [at, code]);
    };
    expect(await codes(6)).toEqual([["", "atif/no-session-id"]]);
    expect(await codes(7)).toEqual([]);
  });

  test("check names what only agent steps may have, and results without a call", async () => {
    const observation = { results: [{ source_call_id: "x", content: "a" }] };
    const { problems } = await check(document(5, { metrics: {}, observation, timestamp: "noon" }));
    expect(problems.map(({ at, code }) => [at, code])).toEqual([
      ["/steps/0/metrics", "atif/agent-only"],
      ["/steps/0/observation/results/0", "pairing/orphan-result"],
      ["/steps/0/observation/results/0/source_call_id", "atif/no-call"],
      ["/steps/0/timestamp", "atif/bad-time"],
    ]);
  });

  test.each([7, undefined])("repair numbers the steps: %s", async (id) => {
    const input = document(4, { step_id: id });
    const { problems } = await check(input);
    expect(problems.map(({ code }) => code)).toEqual(["atif/step-id"]);
    const same = await convert(input, { from: "atif", to: "atif" });
    expect(JSON.parse(same.output)).toEqual(JSON.parse(input));
    const { output } = await repair(input);
    expect(JSON.parse(output).steps[0].step_id).toBe(1);
  });
});

test("an observation without a call is shown to the model, and is not the user's", async () => {
  const document = {
    schema_version: "ATIF-v1.5",
    session_id: "s",
    agent: { name: "a", version: "1" },
    steps: [{ step_id: 1, source: "agent", message: "ls", observation: { results: [{ content: "beds" }] } }],
  };
  const { output } = await convert(JSON.stringify(document), { to: "openclaw" });
  const messages = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(messages.map(({ role, customType, content }) => [role, customType, content])).toEqual([
    ["session", undefined, undefined],
    ["assistant", undefined, [{ type: "text", text: "ls" }]],
    ["custom", "atif/observation", "beds"],
  ]);
});
