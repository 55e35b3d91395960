import { setTimeout } from "node:timers/promises";
import { noteOf } from "../../../src/core/message/notes.js";
import type { AgentMessage } from "../../../src/core/types.js";
import { connectRpc, insist, RpcWatcher } from "../gateway-clients.js";
import { answerTo, endsOf } from "../sound-session.js";
import type { Cluster } from "./cluster.js";

/** Messages of one session. */
const LENGTH = 25;
/** How often it is looked whether the last message is answered. */
const LOOK_MS = 200;
/** Longer than any fault and the takeover after it. */
const PATIENCE_MS = 90_000;

export interface TalkResult {
  accepted: number;
  /** Sends that were repeated, because the client did not know whether they had arrived. */
  repeated: number;
  /** Answers that ended because their gateway did. */
  cut: number;
  /** Empty if everything was stored once and answered once. */
  problems: string[];
  /** Empty if the client that watches was shown everything as it was stored. */
  differences: string[];
}

/** A client that sends messages to one session through any gateway, and one that watches it. */
export async function talk(
  cluster: Cluster,
  token: string,
  { thread, isOver }: { thread: string; isOver: () => boolean },
): Promise<TalkResult> {
  const key = `agent:main:timbal:dm:${thread}`;
  const address = { url: await cluster.balancer(), token };
  await insist(() => post(address, thread, "", "{}").catch(() => undefined));
  const client = await insist(() => connectRpc(address).catch(() => undefined));
  const watcher = new RpcWatcher(client, key);
  const result: TalkResult = { accepted: 0, repeated: 0, cut: 0, problems: [], differences: [] };
  const tags: string[] = [];
  for (let count = 0; count < LENGTH && !isOver(); count++) {
    const tag = `${thread.slice(-6)}-${count}`;
    let attempts = 0;
    // A client whose gateway does not answer asks another one, with the same key.
    await insist(() => {
      const { url } = cluster.gateway(count + attempts++).process;
      return send({ url, token }, thread, tag).catch(() => undefined);
    });
    tags.push(tag);
    result.repeated += attempts - 1;
    await setTimeout((count * 37) % 200);
  }
  result.accepted = tags.length;
  const messages = await untilAnswered(cluster, key, tags);
  result.cut = messages.filter(
    (message) => message.role === "assistant" && message.stopReason === "error",
  ).length;
  for (const tag of tags) {
    const { stored, answered } = countsOf(messages, tag);
    if (stored !== 1) result.problems.push(`${tag} was stored ${stored} times`);
    if (answered !== 1) result.problems.push(`${tag} was answered ${answered} times`);
  }
  // The store may be away for longer than the last answer took.
  const late = setTimeout(PATIENCE_MS, undefined, { ref: false });
  await Promise.race([watcher.until(() => watcher.messages.length >= messages.length), late]);
  client.close();
  const [shown, stored] = [watcher.messages, messages].map((list) => list.map(({ id }) => id).join(" "));
  if (shown !== stored) {
    result.differences.push(`${thread}: shown ${shown}, stored ${stored} after\n${watcher.recent}`);
  }
  result.differences.push(...watcher.problems.map((problem) => `${thread}: ${problem}`));
  if (result.problems.length > 0) result.problems.push(...messages.map((message) => JSON.stringify(message)));
  return result;
}

/** Undefined if it was not accepted, as far as the client knows. */
async function post(
  { url, token }: { url: string; token: string },
  thread: string,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<true | undefined> {
  const { ok } = await fetch(`${url}/v1/threads/${thread}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body,
    signal: AbortSignal.timeout(3_000),
  });
  return ok ? true : undefined;
}

function send(address: { url: string; token: string }, thread: string, tag: string) {
  const content = `say: ${tag}. one two\nwait: 150\nsay: three four\nwait: 150\nsay: five`;
  return post(address, thread, "/messages", JSON.stringify({ content }), { "idempotency-key": tag });
}

async function untilAnswered(
  { store }: Cluster,
  key: string,
  tags: readonly string[],
): Promise<AgentMessage[]> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const messages: AgentMessage[] = [];
    let isDue = true;
    try {
      const session = await store.log.open((await store.log.find(key)) ?? "");
      isDue = await store.due.has(session.id);
      for await (const { message } of session.read()) messages.push(message);
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    const isDone = !isDue && tags.every((tag) => countsOf(messages, tag).answered > 0);
    if (isDone || performance.now() > end) return messages;
    await setTimeout(LOOK_MS);
  }
}

const contentOf = (message: AgentMessage) => ("content" in message ? JSON.stringify(message.content) : "");

/**
 * How often a message was stored, and how many answers it has. An answer that was cut off is one, too. Messages that wait
 * for the same run are answered together.
 */
function countsOf(messages: readonly AgentMessage[], tag: string) {
  const shown = messages.filter((message) => noteOf(message) === undefined);
  const isAsked = (message: AgentMessage) =>
    message.role === "user" && contentOf(message).includes(`${tag}.`);
  const first = shown.findIndex(isAsked);
  const answer = shown.findIndex(({ role }, index) => index > first && role !== "user");
  const { id = "" } = shown[answer - 1] ?? {};
  const answered = first === -1 || answer === -1 ? 0 : endsOf(answerTo(shown, id)).length;
  return { stored: shown.filter(isAsked).length, answered };
}
