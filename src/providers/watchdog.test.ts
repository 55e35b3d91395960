import { expect, test } from "vitest";
import { Watchdog } from "./watchdog.js";

/** A watchdog that waits for a second, in a world whose time passes when it is told to. */
function watched() {
  const state = { time: 0, barks: 0 };
  const timers = new Set<{ at: number; callback: () => void }>();
  const world = {
    now: () => state.time,
    after(ms: number, callback: () => void) {
      const timer = { at: state.time + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  const watchdog = new Watchdog(1000, world, () => state.barks++);
  const pass = (ms: number) => {
    state.time += ms;
    for (const timer of [...timers]) {
      if (timer.at > state.time) continue;
      timers.delete(timer);
      timer.callback();
    }
  };
  return { watchdog, state, timers, pass };
}

test("it barks when it was not fed for as long as it waits", () => {
  const { watchdog, state, pass } = watched();
  watchdog.feed();
  pass(999);
  watchdog.feed();
  pass(999);
  expect(state.barks).toBe(0);
  pass(1);
  expect(state.barks).toBe(1);
});

test("while it is held it is quiet and has no timer; fed again, it waits from then on", () => {
  const { watchdog, state, timers, pass } = watched();
  watchdog.feed();
  watchdog.pause();
  pass(5000);
  expect({ barks: state.barks, timers: timers.size }).toEqual({ barks: 0, timers: 0 });
  watchdog.feed();
  pass(999);
  expect(state.barks).toBe(0);
  pass(1);
  expect(state.barks).toBe(1);
});

test("stopped, it has no timer", () => {
  const { watchdog, timers } = watched();
  watchdog.feed();
  watchdog.stop();
  expect(timers.size).toBe(0);
});

test("resumed, it waits from then on; unless it was paused, nothing changes", () => {
  const { watchdog, state, pass } = watched();
  watchdog.feed();
  pass(600);
  watchdog.resume();
  pass(399);
  expect(state.barks).toBe(0);
  watchdog.pause();
  pass(5000);
  watchdog.resume();
  pass(999);
  expect(state.barks).toBe(0);
  pass(1);
  expect(state.barks).toBe(1);
});
