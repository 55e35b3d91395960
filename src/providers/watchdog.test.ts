import { expect, test } from "vitest";
import { Watchdog } from "./watchdog.js";

/** A clock that somebody else moves, second by second. */
class Clock {
  #time = 50_000;
  #timer: { at: number; ring: () => void } | undefined;

  now = () => this.#time;

  after = (ms: number, ring: () => void) => {
    const timer = { at: this.#time + ms, ring };
    this.#timer = timer;
    return () => {
      if (this.#timer === timer) this.#timer = undefined;
    };
  };

  /** Lets a second pass. */
  tick(): void {
    this.#time += 1000;
    const timer = this.#timer;
    if (timer === undefined || timer.at > this.#time) return;
    this.#timer = undefined;
    timer.ring();
  }
}

/** What it barks, with the second of it, when `act` is done each second for two minutes. */
function barks(act: (watchdog: Watchdog, second: number) => void): string[] {
  const clock = new Clock();
  const heard: string[] = [];
  let second = 0;
  const watchdog = new Watchdog(10_000, clock, (error) => heard.push(`${second}: ${error.message}`));
  watchdog.start();
  for (second = 1; second <= 120; second++) {
    clock.tick();
    act(watchdog, second);
  }
  return heard;
}

test("silence", () => {
  expect(barks(() => undefined)).toEqual(["10: the provider sent no content for 10 s"]);
  expect(barks((dog, second) => second === 7 && dog.feed())).toEqual([
    "17: the provider sent no content for 10 s",
  ]);
});

test("content for ever", () => {
  expect(barks((dog, second) => second % 9 === 0 && dog.feed())).toEqual([]);
});

test("pings keep it quiet while a tool of the provider runs, but not for ever", () => {
  expect(barks((dog, second) => second % 9 === 0 && dog.calm())).toEqual([
    "50: the provider sent no content for 50 s",
  ]);
  expect(barks((dog, second) => second === 5 && dog.calm())).toEqual([
    "15: the provider sent no content for 10 s",
  ]);
  expect(barks((dog, second) => (second % 45 === 0 ? dog.feed() : dog.calm()))).toEqual([]);
});

test("nothing once it was stopped", () => {
  expect(barks((dog, second) => second === 3 && dog.stop())).toEqual([]);
});
