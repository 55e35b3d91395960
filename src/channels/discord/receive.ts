import { setTimeout as pause } from "node:timers/promises";
import type { REST } from "@discordjs/rest";
import { reasonOf } from "../network-failure.js";
import { pauseBefore } from "../pauses.js";
import type { ChannelOptions, ChannelState, Inbound } from "../types.js";
import { acceptChoice } from "./choice.js";
import type { Parts } from "./client.js";
import { badToken, finalStateOf, statusOf } from "./failure.js";
import { History } from "./history.js";
import { Intake } from "./intake.js";
import type { Memory } from "./memory.js";

/** Guilds, guild messages, direct messages, message content. */
const INTENTS = (1 << 0) | (1 << 9) | (1 << 12) | (1 << 15);

export interface ReceiveOptions {
  sockets: Parts["WebSocketManager"];
  rest: REST;
  token: string;
  memory: Memory;
  receive(inbound: Inbound): Promise<void>;
  choose: ChannelOptions<unknown>["choose"];
  people(): Promise<readonly string[]>;
  onState(state: ChannelState): void;
  onUnread(why: string): void;
  now(): number;
  signal: AbortSignal;
}

/** Receives until aborted or stopped. */
export async function receiveMessages(options: ReceiveOptions): Promise<void> {
  const { signal, onState, now } = options;
  for (let attempt = 0; !signal.aborted; attempt++) {
    onState({ state: "connecting" });
    const ended = await runConnection(options, () => {
      attempt = 0;
    });
    if (signal.aborted) return;
    onState(ended);
    if (ended.state === "stopped") return;
    const pauseMs = pauseBefore(attempt);
    onState({ state: "waiting", why: "why" in ended ? (ended.why ?? "") : "", untilMs: now() + pauseMs });
    await pause(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * One connection, including the client's own resumes. Resolves with the reason it ended. Messages that cannot be read or stored
 * yet do not end it.
 */
async function runConnection(options: ReceiveOptions, onReady: () => void): Promise<ChannelState> {
  const { sockets, rest, token, memory, signal, onState, receive, choose, onUnread, now, people } = options;
  const manager = new sockets({ token, intents: INTENTS, rest, shardCount: 1 });
  const ending = new AbortController();
  const stop = () => ending.abort();
  signal.addEventListener("abort", stop, { once: true });
  const history = new History(rest, ending.signal);
  let trouble: string | undefined;
  const connected = () => {
    const { id, name, otherNames } = intake.known;
    const me = { id, ...(name !== undefined && { name }), ...(otherNames.length > 0 && { otherNames }) };
    onState({ state: "connected", me, ...(trouble !== undefined && { why: trouble }) });
  };
  const onTrouble = (why: string | undefined) => {
    trouble = why === undefined ? undefined : `messages cannot be received yet: ${why}`;
    connected();
  };
  const intake = new Intake({
    ...{ memory, history, receive, onUnread, onTrouble, now, people },
    onInteraction: (data, where) => {
      acceptChoice(data, { rest, choose, onUnread, where }).catch((error: unknown) =>
        onUnread(`a pressed button could not be handled: ${reasonOf(error)}`),
      );
    },
    signal: ending.signal,
  });
  try {
    return await new Promise<ChannelState>((end) => {
      ending.signal.addEventListener("abort", () => end({ state: "connecting" }), { once: true });
      manager.on("dispatch", ({ data: { t: event, d: data } }) => {
        intake.accept(event, data);
        if (event === "READY") onReady();
        if (event === "READY" || event === "RESUMED") connected();
      });
      manager.on("closed", ({ code }) => {
        const ended = finalStateOf(code);
        if (ended === undefined)
          onState({ state: "waiting", why: `Discord closed the connection (${code})` });
        else end(ended);
      });
      // `closed` reports the errors that matter.
      manager.on("error", () => undefined);
      manager.connect().catch((error: unknown) => {
        if (statusOf(error) === 401) end(badToken);
        else end({ state: "waiting", why: reasonOf(error) });
      });
    });
  } finally {
    stop();
    signal.removeEventListener("abort", stop);
    await manager.destroy({ reason: "stopped" });
  }
}
