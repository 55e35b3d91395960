import { describe, expect, test } from "vitest";
import { type Clock, Replay, scheduleOf } from "./replay.js";

describe("the schedule", () => {
  test("keeps the pace, without long pauses", () => {
    expect(scheduleOf([1000, 1500, 3_600_000, 3_601_000])).toEqual([0, 500, 5500, 6500]);
  });

  test("gives what has no time a moment of its own", () => {
    expect(scheduleOf([undefined, undefined, 1000, 1200])).toEqual([0, 600, 1200, 1400]);
  });

  test("does not go back", () => expect(scheduleOf([2000, 1000, 1100])).toEqual([0, 0, 100]));
});

/** A clock that stands still until it is told. */
function testClock(): Clock & { advance(ms: number): void } {
  let time = 0;
  let timers: { at: number; call: () => void }[] = [];
  return {
    now: () => time,
    after(ms, call) {
      const timer = { at: time + ms, call };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      const end = time + ms;
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers = timers.filter((other) => other !== next);
        time = Math.max(time, next.at);
        next.call();
      }
      time = end;
    },
  };
}

function started() {
  const clock = testClock();
  const replay = new Replay([0, 1000, 1000, 3000], clock);
  return { clock, replay, shown: () => replay.snapshot().shown };
}

describe("a replay", () => {
  test("shows everything until it is played, and then begins with the first message", () => {
    const { replay, shown } = started();
    expect(shown()).toBe(4);
    replay.play();
    expect(replay.snapshot()).toEqual({ shown: 1, playing: true, speed: 1 });
  });

  test("shows messages when they came, those of one moment together, and stops at the end", () => {
    const { clock, replay, shown } = started();
    replay.play();
    clock.advance(999);
    expect(shown()).toBe(1);
    clock.advance(1);
    expect(shown()).toBe(3);
    clock.advance(2000);
    expect(replay.snapshot()).toEqual({ shown: 4, playing: false, speed: 1 });
  });

  test("goes on after a pause where it stood", () => {
    const { clock, replay, shown } = started();
    replay.play();
    clock.advance(600);
    replay.pause();
    clock.advance(60_000);
    expect(shown()).toBe(1);
    replay.play();
    clock.advance(399);
    expect(shown()).toBe(1);
    clock.advance(1);
    expect(shown()).toBe(3);
  });

  test("changes its speed on the way", () => {
    const { clock, replay, shown } = started();
    replay.play();
    clock.advance(500);
    replay.setSpeed(4);
    clock.advance(124);
    expect(shown()).toBe(1);
    clock.advance(1);
    expect(shown()).toBe(3);
    clock.advance(500);
    expect(shown()).toBe(4);
  });

  test("is moved by hand, within its bounds", () => {
    const { clock, replay, shown } = started();
    replay.seek(99);
    expect(shown()).toBe(4);
    replay.seek(-1);
    expect(shown()).toBe(0);
    replay.seek(3);
    replay.play();
    clock.advance(2000);
    expect(replay.snapshot()).toEqual({ shown: 4, playing: false, speed: 1 });
  });

  test("tells who listens", () => {
    const { clock, replay } = started();
    const seen: number[] = [];
    const stop = replay.subscribe(() => seen.push(replay.snapshot().shown));
    replay.seek(1);
    replay.play();
    clock.advance(1000);
    stop();
    clock.advance(5000);
    expect(seen).toEqual([1, 1, 3]);
  });

  test("of nothing does nothing", () => {
    const replay = new Replay([], testClock());
    replay.play();
    expect(replay.snapshot().playing).toBe(false);
  });
});
