import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Runtime, readConfig } from "dragoman/runtime";
import type { Case, Work } from "../support/case.js";
import { cpuPerCall } from "../support/cpu.js";
import { firstMessages } from "../support/transcript.js";

const MESSAGES = 5000;

/** The least work of a turn: writing the request as text. */
const floor: Work = async () => {
  const messages = firstMessages(MESSAGES);
  return cpuPerCall(() => JSON.stringify({ messages }));
};

/** A message sent to a session on disk, answered by the demo model and stored. */
const turn: Work = async () => {
  const home = await mkdtemp(join(tmpdir(), "dragoman-bench-"));
  try {
    const runtime = new Runtime({ home, config: await readConfig(home, { DRAGOMAN_MODEL: "demo/echo" }) });
    const conversation = await runtime.begin({ key: "agent:main:main" });
    await conversation.session.append(firstMessages(MESSAGES));
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
    const jobs = [
      { label: "floor: JSON.stringify of the history", work: "floor", argument: "" },
      { label: "a message to demo/echo, in process", work: "turn", argument: "" },
    ];
    return (await host.compare(jobs)).map(({ label, cpuMs, floors }) => ({
      label,
      figures: { "CPU ms": cpuMs, "× floor": floors },
    }));
  },
};
