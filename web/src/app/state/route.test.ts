import { expect, test } from "vitest";
import { hashOf, type Route, routeOf } from "./route.js";

test.each<[string, Route]>([
  ["#/", { page: "new" }],
  ["#/usage", { page: "usage" }],
  ["#/session/01J", { page: "session", id: "01J" }],
  ["#/session/01J/01K", { page: "session", id: "01J", message: "01K" }],
  ["#/session/agent%3Amain%2Fx", { page: "session", id: "agent:main/x" }],
])("%s is a place, and back", (hash, route) => {
  expect(routeOf(hash)).toEqual(route);
  expect(hashOf(route)).toBe(hash);
});

test.each(["", "#", "#/elsewhere", "#/session/", "#/session/%E0%A4%A", "#token=x"])(
  "%j is no place of ours",
  (hash) => {
    expect(routeOf(hash)).toEqual({ page: "new" });
  },
);
