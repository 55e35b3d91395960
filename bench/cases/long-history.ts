import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Runtime, readConfig } from "dragoman/runtime";
import type { Case, Work } from "../support/case.js";
import { cpuPerCall } from "../support/cpu.js";
import { firstMessages } from "../support/transcript.js";

const MESSAGES = 5000;
/** What the history adds to a turn, in costs of writing it as text, which a request needs. */
const HISTORY_AT_MOST = 1;

/** The least work of a turn: writing the request as text. */
const floor: Work = async () => {
  const messages = firstMessages(MESSAGES);
  return cpuPerCall(() => JSON.stringify({ messages }));
};

/** A message sent to a session on disk with this many messages, answered by the demo model and stored. */
const turn: Work = async (argument) => {
  const home = await mkdtemp(join(tmpdir(), "dragoman-bench-"));
  try {
    const runtime = new Runtime({ home, config: await readConfig(home, { DRAGOMAN_MODEL: "demo/echo" }) });
    const conversation = await runtime.begin({ key: "agent:main:main" });
    const count = Number(argument);
    if (count > 0) await conversation.session.append(firstMessages(count));
    const cost = await cpuPerCall(async () => {
      await conversation.send({ role: "user", content: "Are you there?", timestamp: Date.now() });
      await conversation.idle();
    });
    const [last] = (await conversation.messages()).slice(-1);
    if (last?.role !== "assistant") throw new Error("the last message was not answered");
    await runtime.close();
    return cost;
  } finally {
    await rm(home, { recursive: true });
  }
};

export const longHistory: Case = {
  title: `one turn with a history of ${MESSAGES} messages`,
  works: { floor, turn },
  async measure(host) {
    const results = await host.compare([
      { label: "floor: JSON.stringify of the history", work: "floor", argument: "" },
      { label: "an empty history", work: "turn", argument: "0", ours: true },
      { label: "the whole history", work: "turn", argument: String(MESSAGES), ours: true },
    ]);
    const costOf = (wanted: string) => results.find(({ label }) => label === wanted)?.cpuMs ?? Number.NaN;
    const floor = results[0]?.cpuMs ?? Number.NaN;
    return results.map(({ label, argument, cpuMs, floors }) => ({
      label,
      figures: {
        "CPU ms": cpuMs,
        "× floor": floors,
        ...(argument === String(MESSAGES)
          ? {
              "history, × floor": {
                value: (cpuMs - costOf(label.replace("the whole", "an empty"))) / floor,
                atMost: HISTORY_AT_MOST,
              },
            }
          : {}),
      },
    }));
  },
};
