import { expect, test } from "vitest";
import type { FakeAcpAgent, FakeScript } from "../../fakes/acp-agent.js";
import { agentWith, begin, linesOf, runtimeWith } from "../../fakes/acp-world.js";
import { event, user } from "../../fakes/watching.js";

const promptsOf = ({ calls }: FakeAcpAgent) =>
  calls.filter(({ method }) => method === "session/prompt").map(({ params }) => params["prompt"]);

/** Works on a prompt with "first" until `finish` is called or the client cancels; answers every other one with its text. */
function worker(): { script: FakeScript; finish(): void } {
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const script: FakeScript = async ({ prompt, send, text, cancelled }) => {
    const [block] = prompt;
    if (block?.["text"] !== "first") {
      text(`answer to ${prompt.map((one) => one["text"]).join(" and ")}`);
      return "end_turn";
    }
    const call = { toolCallId: "t1", title: "make", kind: "execute" };
    send({ sessionUpdate: "tool_call", status: "in_progress", ...call });
    const isCancelled = await Promise.race([finished, cancelled.then(() => true)]);
    if (isCancelled === true) return "cancelled";
    send({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed" });
    text("one");
    return "end_turn";
  };
  return { script, finish: () => finish() };
}

/** The program works on a tool call of the prompt "first". */
async function working() {
  const { script, finish } = worker();
  const agent = agentWith(script);
  const conversation = await begin(runtimeWith(agent));
  const begun = event(
    conversation,
    (seen) => seen.type === "agent" && seen.event.type === "tool_execution_start",
  );
  await conversation.send(user("first"));
  await begun;
  return { agent, conversation, finish };
}

test("messages that steer during a tool call are one prompt after the program's answer", async () => {
  const { agent, conversation, finish } = await working();
  await conversation.send(user("second"));
  await conversation.send(user("third"));
  finish();
  await conversation.idle();
  expect(await linesOf(conversation)).toEqual([
    "user: first",
    "assistant (toolUse): toolCall",
    "toolResult",
    "assistant (stop): one",
    "user: second",
    "user: third",
    "assistant (stop): answer to second and third",
  ]);
  expect(promptsOf(agent)).toEqual([
    [{ type: "text", text: "first" }],
    [
      { type: "text", text: "second" },
      { type: "text", text: "third" },
    ],
  ]);
  expect(agent.methods).not.toContain("session/cancel");
});

test("follow-ups are prompts of their own", async () => {
  const { agent, conversation, finish } = await working();
  await conversation.send(user("second"), "followup");
  await conversation.send(user("third"), "followup");
  finish();
  await conversation.idle();
  expect(promptsOf(agent)).toEqual([
    [{ type: "text", text: "first" }],
    [{ type: "text", text: "second" }],
    [{ type: "text", text: "third" }],
  ]);
});

test("a message that interrupts cancels the prompt and is the next one", async () => {
  const { agent, conversation } = await working();
  await conversation.send(user("instead"), "interrupt");
  await conversation.idle();
  expect(agent.methods).toEqual([
    "initialize",
    "session/new",
    "session/prompt",
    "session/cancel",
    "session/prompt",
  ]);
  expect(promptsOf(agent).at(-1)).toEqual([{ type: "text", text: "instead" }]);
  expect(await linesOf(conversation)).toEqual([
    "user: first",
    "assistant (toolUse): toolCall",
    "toolResult (error)",
    "user: instead",
    "assistant (stop): answer to instead",
  ]);
});

test("a message that waits survives an abort and is the next prompt", async () => {
  const { agent, conversation } = await working();
  await conversation.send(user("second"));
  conversation.abort();
  await conversation.idle();
  expect(agent.methods).toContain("session/cancel");
  expect(promptsOf(agent).at(-1)).toEqual([{ type: "text", text: "second" }]);
  expect((await linesOf(conversation)).at(-1)).toBe("assistant (stop): answer to second");
});
