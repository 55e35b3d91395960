import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { event, isText, told, user } from "../../test/fakes/watching.js";
import type { Conversation } from "./conversation.js";
import { Runtime } from "./runtime.js";
import type { Accepted, ConversationEvent } from "./types.js";

let home: string;
const open: Runtime[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "dragoman-runtime-"));
});

afterEach(async () => {
  for (const runtime of open.splice(0)) await runtime.close();
  await rm(home, { recursive: true, force: true });
});

function runtimeOn(model: string): Runtime {
  const runtime = new Runtime({ home, config: { model } });
  open.push(runtime);
  return runtime;
}

function sessionPath({ session }: Conversation): string {
  return join(home, "agents", "main", "sessions", `${session.id}.jsonl`);
}

test("a message is stored, answered, and the events of its run are counted without a gap", async () => {
  const conversation = await runtimeOn("demo/echo").begin({ key: "agent:main:main" });
  const seen: ConversationEvent[] = [];
  conversation.watch((one) => seen.push(one));
  const { runId } = await conversation.send(user("hello there"));
  await conversation.idle();
  expect(told(await conversation.messages())).toEqual([
    "session",
    "user: hello there",
    "assistant (stop): hello there",
  ]);
  const seqs = seen.map((one) => ("seq" in one ? one.seq : -1));
  expect(seqs).toEqual(seen.map((_, index) => index + 1));
  expect(seen.at(0)).toEqual({ type: "run_start", runId, seq: 1 });
  expect(seen.at(-1)).toMatchObject({ type: "run_end", runId, outcome: "done" });
  expect(await readdir(join(home, "runs"))).toEqual([]);
});

test("a message that comes in mid-answer is kept, and answered by the next turn", async () => {
  const conversation = await runtimeOn("demo/echo").begin({ key: "agent:main:main" });
  const begun = event(conversation, isText);
  await conversation.send(user("one two three"));
  await begun;
  await conversation.send(user("four"));
  await conversation.idle();
  expect(told(await conversation.messages())).toEqual([
    "session",
    "user: one two three",
    "custom",
    "assistant (stop): one two three",
    "user: four",
    "assistant (stop): four",
  ]);
});

test("a conversation is idle when a run has ended, and a message that is sent then begins the next", async () => {
  const conversation = await runtimeOn("demo/echo").begin({ key: "agent:main:main" });
  const states: unknown[] = [];
  const runs: string[] = [];
  const sent: Promise<Accepted>[] = [conversation.send(user("one"))];
  conversation.watch((seen) => {
    if (seen.type !== "run_end") return;
    const { busy, runsHere, seq } = conversation;
    states.push([busy, runsHere, seq, conversation.abortHere()]);
    runs.push(seen.runId);
    if (sent.length === 1) sent.push(conversation.sendOnce("k", user("two")));
    else if (sent.length === 2) sent.push(conversation.send(user("three"), "followup"));
  });
  await vi.waitFor(() => expect(runs).toHaveLength(3));
  await conversation.idle();
  expect(states).toEqual([
    [false, false, 0, false],
    [false, false, 0, false],
    [false, false, 0, false],
  ]);
  const accepted = await Promise.all(sent);
  expect(accepted.map(({ runId }) => runId)).toEqual(runs);
  // Each run is named after the message that began it.
  expect(accepted.map(({ message }) => message.id)).toEqual(runs);
  expect(accepted[1]?.message.ext).toEqual({ sent: { idempotencyKey: "k", runId: runs[1] } });
  expect(told(await conversation.messages())).toEqual([
    "session",
    "user: one",
    "assistant (stop): one",
    "user: two",
    "assistant (stop): two",
    "user: three",
    "assistant (stop): three",
  ]);
});

test("an answer has from its first word the id by which it is stored", async () => {
  const conversation = await runtimeOn("demo/script").begin({ key: "agent:main:main" });
  const ids = new Set<string | undefined>();
  conversation.watch((seen) => {
    if (seen.type !== "agent" || !("message" in seen.event)) return;
    if (seen.event.message.role === "assistant") ids.add(seen.event.message.id);
  });
  await conversation.send(user("think: well\nsay: one two"));
  await conversation.idle();
  const [, asked, answered] = await conversation.messages();
  expect([...ids]).toEqual([answered?.id]);
  expect(`${asked?.id}` < `${answered?.id}`).toBe(true);
});

test.each([
  ["say: half\nstall", "text_end", "the process stopped mid-answer"],
  [
    "say: half\ncall: exec {}\nstall",
    "toolcall_end",
    "the process stopped mid-answer; the calls it had begun were not run",
  ],
])(
  "of an answer that its process did not live to finish, what was said is kept under its id: %j",
  async (script, last, errorMessage) => {
    const first = runtimeOn("demo/script");
    const conversation = await first.begin({ key: "agent:main:main" });
    const said = event(
      conversation,
      (seen) =>
        seen.type === "agent" &&
        seen.event.type === "message_update" &&
        seen.event.assistantMessageEvent.type === last,
    );
    const begun = event(conversation, isText);
    await conversation.send(user(script));
    await begun;
    const { id } = conversation.live.answer ?? {};
    await said;
    const mark = join(home, "runs", conversation.session.id);
    await vi.waitFor(async () => expect(await readFile(mark, "utf8")).toContain(last));
    const left = await readFile(mark);
    const stored = await readFile(sessionPath(conversation));
    conversation.abort();
    await conversation.idle();
    await first.close();
    await writeFile(mark, left);
    await writeFile(sessionPath(conversation), stored);

    const later = await runtimeOn("demo/echo").begin({ key: "agent:main:main" });
    await later.resume();
    const messages = await later.messages();
    expect(told(messages)).toEqual(["session", `user: ${script}`, "assistant (error): half"]);
    expect(messages[2]).toMatchObject({ id, errorMessage });
  },
);

test("an abort keeps what was said, and the next message is answered", async () => {
  const conversation = await runtimeOn("demo/script").begin({ key: "agent:main:main" });
  const begun = event(conversation, isText);
  const ended = event(conversation, ({ type }) => type === "run_end");
  await conversation.send(user("say: half\nstall"));
  await begun;
  conversation.abort();
  expect(await ended).toMatchObject({ outcome: "aborted" });
  await conversation.idle();
  await conversation.send(user("say: whole"));
  await conversation.idle();
  expect(told(await conversation.messages())).toEqual([
    "session",
    "user: say: half\nstall",
    "assistant (aborted): half",
    "user: say: whole",
    "assistant (stop): whole",
    // That the model was not shown the half answer.
    "custom",
  ]);
});

test("an abort before anything was said is told as one", async () => {
  const conversation = await runtimeOn("demo/script").begin({ key: "agent:main:main" });
  const ended = event(conversation, ({ type }) => type === "run_end");
  await conversation.send(user("stall"));
  conversation.abort();
  expect(await ended).toMatchObject({ outcome: "aborted" });
});

test("an abort just after a run does not stop the one that follows it", async () => {
  const conversation = await runtimeOn("demo/echo").begin({ key: "agent:main:main" });
  const begun = event(conversation, isText);
  await conversation.send(user("one two three"));
  await begun;
  // At once: once `send` is fulfilled, the next run may be under way, and then an abort stops it.
  const aborted = event(conversation, ({ type }) => type === "run_end").then(() => conversation.abort());
  await conversation.send(user("four"), "interrupt");
  await aborted;
  await conversation.idle();
  expect(told(await conversation.messages()).at(-1)).toBe("assistant (stop): four");
});

test("an abort while another process runs the session does not stop what is sent afterwards", async () => {
  const runtime = runtimeOn("demo/echo");
  const conversation = await runtime.begin({ key: "agent:main:main" });
  const other = await runtime.log.lease(conversation.session.id);
  await conversation.send(user("one"));
  conversation.abort();
  await conversation.idle();
  await other?.release();
  await conversation.send(user("two"));
  await conversation.idle();
  expect(told(await conversation.messages()).filter((line) => line.startsWith("assistant"))).toContain(
    "assistant (stop): two",
  );
});

test("what is not allowed and nobody can be asked about does not run", async () => {
  const conversation = await runtimeOn("demo/script").begin({ key: "agent:main:main" });
  await conversation.send(user('call: exec {"command":"touch canary"}\n---\nsay: done'));
  await conversation.idle();
  expect(told(await conversation.messages()).slice(2)).toEqual([
    "assistant (toolUse): toolCall",
    "toolResult (error)",
    "assistant (stop): done",
  ]);
  expect(await readdir(join(home, "agents", "main", "workspace"))).toEqual([]);
});

test("somebody who watches is asked, and says yes", async () => {
  const conversation = await runtimeOn("demo/script").begin({ key: "agent:main:main" });
  conversation.watch(
    (seen) => {
      if (seen.type === "permission") conversation.permissions.answer(seen.request.id, "once");
    },
    { asks: true },
  );
  await conversation.send(user('call: exec {"command":"touch canary"}\n---\nsay: done'));
  await conversation.idle();
  expect(await readdir(join(home, "agents", "main", "workspace"))).toEqual(["canary"]);
});

test("what was allowed for the session runs also when nobody watches any more", async () => {
  const conversation = await runtimeOn("demo/script").begin({ key: "agent:main:main" });
  const leave = conversation.watch(
    (seen) => {
      if (seen.type === "permission") conversation.permissions.answer(seen.request.id, "session");
    },
    { asks: true },
  );
  const touch = user('call: exec {"command":"touch canary"}\n---\nsay: done');
  await conversation.send(touch);
  await conversation.idle();
  leave();
  await rm(join(home, "agents", "main", "workspace", "canary"));
  await conversation.send(touch);
  await conversation.idle();
  expect(await readdir(join(home, "agents", "main", "workspace"))).toEqual(["canary"]);
});

test("a model without a key is an error in the transcript, and the message is kept", async () => {
  const models = { world: { env: () => undefined } };
  const runtime = new Runtime({ home, config: { model: "anthropic/claude-opus-4-6" }, models });
  open.push(runtime);
  const conversation = await runtime.begin({ key: "agent:main:main" });
  await conversation.send(user("hi"));
  await conversation.idle();
  expect(await conversation.messages()).toMatchObject([
    { role: "session" },
    { role: "user", content: "hi" },
    {
      role: "assistant",
      content: [],
      provider: "anthropic",
      model: "claude-opus-4-6",
      stopReason: "error",
      ext: { failure: { code: "provider/no-key" } },
    },
  ]);
});

test("an agent gives work to another, and both sessions say so", async () => {
  const runtime = new Runtime({
    home,
    config: {
      agents: {
        main: {
          model: "demo/script",
          agents: ["scout"],
          permissions: [{ tool: "agent", action: "allow" }],
        },
        scout: { model: "demo/echo", description: "Finds things." },
      },
    },
  });
  open.push(runtime);
  const conversation = await runtime.begin({ key: "agent:main:main" });
  await conversation.send(user('call: agent {"agent":"scout","prompt":"look around"}\n---\nsay: thanks'));
  await conversation.idle();
  const messages = await conversation.messages();
  expect(told(messages).slice(2)).toEqual([
    "assistant (toolUse): toolCall",
    "toolResult",
    "agentComplete",
    "assistant (stop): thanks",
  ]);
  const result = messages.find(({ role }) => role === "toolResult");
  expect(result).toMatchObject({ content: [{ type: "text", text: "look around" }] });
  const scouts: string[] = [];
  for await (const { agent, id } of runtime.log.list()) if (agent === "scout") scouts.push(id);
  expect(result).toMatchObject({ details: { session: scouts[0] } });
  const scout = await runtime.open(scouts[0] ?? "");
  expect(scout.session.header).toMatchObject({
    parent: { session: conversation.session.id, toolCallId: "call_1_0" },
  });
  expect(told(await scout.messages()).slice(1)).toEqual([
    "user: look around",
    "assistant (stop): look around",
  ]);
});

test("a compaction hides what is older from the model, and can be taken back", async () => {
  const conversation = await runtimeOn("demo/echo").begin({ key: "agent:main:main" });
  for (let turn = 0; turn < 6; turn++) {
    await conversation.send(user(`${turn} ${"long ".repeat(5000)}`));
    await conversation.idle();
  }
  expect(await conversation.compact()).toBe(true);
  expect((await conversation.messages()).at(-1)).toMatchObject({ role: "compaction" });
  expect(await conversation.undoCompaction()).toBe(true);
  expect(await conversation.undoCompaction()).toBe(false);
});
