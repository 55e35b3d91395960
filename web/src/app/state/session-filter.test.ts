import { expect, test } from "vitest";
import { filterParams } from "./session-filter.js";

const now = new Date(2026, 2, 30, 15, 0).getTime();

test("all sources are listed, unless the filter is about the gateway's own sessions", () => {
  expect(filterParams({}, now)).toEqual({ source: "all" });
  expect(filterParams({ source: "codex", folder: "/app" }, now)).toEqual({ source: "codex", folder: "/app" });
  expect(filterParams({ source: "dragoman" }, now)).toEqual({});
  expect(filterParams({ channel: "telegram" }, now)).toEqual({ channel: "telegram" });
});

test("days are counted in the reader's time zone, today included", () => {
  expect(filterParams({ days: 1 }, now).since).toBe(new Date(2026, 2, 30).getTime());
  expect(filterParams({ days: 7 }, now).since).toBe(new Date(2026, 2, 24).getTime());
});
