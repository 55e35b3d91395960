import type { AgentMessage } from "dragoman/core";
import { describe, expect, test } from "vitest";
import { columnsOf, type Moment, momentsOf, totalsOf } from "./timeline.js";

const usage = (tokens: number, dollars: number) => ({
  input: tokens,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: tokens,
  cost: { input: dollars, output: 0, cacheRead: 0, cacheWrite: 0, total: dollars },
});

const answer = (
  timestamp: number,
  tokens: number,
  dollars: number,
  synthesised: string[] = [],
): AgentMessage => ({
  role: "assistant",
  content: [],
  api: "a",
  provider: "p",
  model: "m",
  usage: usage(tokens, dollars),
  stopReason: "stop",
  timestamp,
  ...(synthesised.length > 0 ? { ext: { synthesised } } : {}),
});

const question = (timestamp: number): AgentMessage => ({ role: "user", content: "?", timestamp });

describe("moments", () => {
  test("know what was spent and how long it took", () => {
    const messages = [question(1000), answer(3500, 120, 0.02)];
    expect(momentsOf(messages, [0, 1])).toEqual([
      {
        index: 0,
        role: "user",
        time: 1000,
        tokens: undefined,
        cost: undefined,
        durationMs: undefined,
        waiting: true,
      },
      { index: 1, role: "assistant", time: 3500, tokens: 120, cost: 0.02, durationMs: 2500, waiting: false },
    ]);
  });

  test("do not know what the source does not tell", () => {
    const messages = [
      question(1000),
      answer(0, 0, 0, ["/timestamp", "/usage"]),
      answer(4000, 7, 0, ["/usage/cost"]),
    ];
    expect(
      momentsOf(messages, [0, 1, 2]).map(({ time, tokens, cost, durationMs }) => [
        time,
        tokens,
        cost,
        durationMs,
      ]),
    ).toEqual([
      [1000, undefined, undefined, undefined],
      [undefined, undefined, undefined, undefined],
      [4000, 7, undefined, 3000],
    ]);
  });

  test("a clock that goes back gives no duration", () => {
    const [, second] = momentsOf([question(5000), answer(4000, 1, 0)], [0, 1]);
    expect(second?.durationMs).toBeUndefined();
  });

  test("are those of the branch only", () => {
    const messages = [question(1000), answer(2000, 1, 0), answer(9000, 2, 0)];
    expect(momentsOf(messages, [0, 2]).map(({ durationMs }) => durationMs)).toEqual([undefined, 8000]);
  });
});

test("totals count the agent's time only", () => {
  const messages = [question(0), answer(1000, 10, 0.25), question(100_000), answer(101_500, 20, 0.5)];
  expect(totalsOf(momentsOf(messages, [0, 1, 2, 3]))).toEqual({
    messages: 4,
    tokens: 30,
    cost: 0.75,
    busyMs: 2500,
  });
});

describe("columns", () => {
  const moment = (tokens: number | undefined, waiting = false): Moment => ({
    index: 0,
    role: "assistant",
    time: 0,
    tokens,
    cost: undefined,
    durationMs: 5,
    waiting,
  });

  test("are single moments where there is room", () => {
    expect(columnsOf([moment(3), moment(undefined, true)], 10)).toEqual([
      { start: 0, end: 1, tokens: 3, cost: 0, durationMs: 5 },
      { start: 1, end: 2, tokens: 0, cost: 0, durationMs: 0 },
    ]);
  });

  test("join moments where there is not", () => {
    expect(columnsOf([moment(1), moment(2), moment(3), moment(4), moment(5)], 2)).toEqual([
      { start: 0, end: 2, tokens: 3, cost: 0, durationMs: 10 },
      { start: 2, end: 5, tokens: 12, cost: 0, durationMs: 15 },
    ]);
  });

  test("of nothing are none", () => expect(columnsOf([], 10)).toEqual([]));
});
