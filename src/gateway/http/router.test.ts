import { expect, test } from "vitest";
import type { HttpRoute } from "../types.js";
import { Router } from "./router.js";

const route = (method: HttpRoute["method"], path: string): HttpRoute => ({
  method,
  path,
  scope: "read",
  handle: async () => ({ status: 200 }),
});

const router = new Router([
  {
    http: {
      refuse: ({ status }) => ({ status }),
      under: ["/v1", "/files"],
      routes: [
        route("GET", "/v1/threads/:id"),
        route("GET", "/v1/threads/search"),
        route("DELETE", "/v1/threads/:id"),
        route("GET", "/v1/threads/:id/messages"),
        route("POST", "/models/:call*"),
        route("GET", "/files/:path*"),
        route("GET", "/files/:name"),
      ],
    },
  },
  { http: { refuse: ({ status }) => ({ status: status + 1 }), under: ["/v1/threads"], routes: [] } },
  { pages: [{ path: "/", reply: async () => ({ status: 200 }) }] },
  { hooks: [{ path: "/hooks/:name", answer: async () => ({ status: 200 }) }] },
]);

test.each([
  ["GET", "/v1/threads/1", "/v1/threads/:id", { id: "1" }],
  ["DELETE", "/v1/threads/1", "/v1/threads/:id", { id: "1" }],
  ["GET", "/v1/threads/search", "/v1/threads/search", {}],
  ["GET", "/v1/threads/agent%3Amain%2Fx/messages", "/v1/threads/:id/messages", { id: "agent:main/x" }],
  ["POST", "/models/demo/echo:generate", "/models/:call*", { call: "demo/echo:generate" }],
  ["GET", "/files/a", "/files/:name", { name: "a" }],
  ["GET", "/files/a/b%20c", "/files/:path*", { path: "a/b c" }],
])("%s %s leads to %s", (method, path, expected, params) => {
  const match = router.http(method, path);
  expect([match?.route.path, match?.params]).toEqual([expected, params]);
});

test.each([
  "/v1/threads",
  "/v1/threads/",
  "/v1/threads/1/",
  "/V1/threads/1",
  "/v1/threads/%zz",
  "/files/",
  "//",
])("%s leads nowhere", (path) => {
  expect([router.http("GET", path), router.methods(path)]).toEqual([undefined, []]);
});

test("what can be done at a path, and what anybody may fetch", () => {
  expect(router.methods("/v1/threads/1")).toEqual(["GET", "DELETE"]);
  expect(router.page("/")?.route.path).toBe("/");
  expect(router.page("/x")).toBeUndefined();
  expect(router.hook("/hooks/a")?.params).toEqual({ name: "a" });
  expect(router.page("/hooks/a")).toBeUndefined();
  expect(router.socket("/")).toBeUndefined();
});

test.each([
  ["/v1", 400],
  ["/v1/nothing/here", 400],
  ["/v1/threads", 401],
  ["/v1/threads/1/messages", 401],
  ["/v1/threadsafe", 400],
  ["/v1beta/models", undefined],
  ["/models/x", undefined],
])("%s is refused in the words of the closest", (path, status) => {
  const refusal = { status: 400, reason: "invalid_request", message: "no" } as const;
  expect(router.protocolAt(path)?.refuse(refusal, "r").status).toBe(status);
});
