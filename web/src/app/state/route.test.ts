import { expect, test } from "vitest";
import { hashOf, type Route, routeOf } from "./route.js";

test.each<[string, Route]>([
  ["#/", { page: "new" }],
  ["#/usage", { page: "usage" }],
  ["#/sessions", { page: "sessions" }],
  [
    "#/foreign/claude-code/0f0d/m%201",
    { page: "foreign", source: "claude-code", id: "0f0d", message: "m 1" },
  ],
  ["#/foreign/codex/a%2Fb", { page: "foreign", source: "codex", id: "a/b" }],
  ["#/session/01J", { page: "session", id: "01J" }],
  ["#/session/01J/01K", { page: "session", id: "01J", message: "01K" }],
  ["#/session/agent%3Amain%2Fx", { page: "session", id: "agent:main/x" }],
])("%s is a place, and back", (hash, route) => {
  expect(routeOf(hash)).toEqual(route);
  expect(hashOf(route)).toBe(hash);
});

test.each(["", "#", "#/elsewhere", "#/session/", "#/foreign/codex", "#/session/%E0%A4%A", "#token=x"])(
  "%j is no place of ours",
  (hash) => {
    expect(routeOf(hash)).toEqual({ page: "new" });
  },
);
