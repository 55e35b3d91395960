import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { testGateway } from "../../test/fakes/gateway.js";
import type { ProtocolFactory } from "./server.js";
import { RefusedError } from "./types.js";

/** One of everything. */
const sample: ProtocolFactory = () => ({
  http: {
    keyHeaders: ["x-api-key"],
    refuse: ({ status, message }, requestId) => ({ status, json: { said: message, requestId } }),
    routes: [
      {
        method: "POST",
        path: "/things/:id",
        scope: "chat",
        handle: async ({ params, json, caller }) => ({
          status: 200,
          json: { id: params["id"], body: await json(), scope: caller.scope },
        }),
      },
      {
        method: "GET",
        path: "/fails",
        scope: "read",
        handle: async () => {
          throw new Error("the inner reason");
        },
      },
      {
        method: "GET",
        path: "/refuses",
        scope: "read",
        handle: async () => {
          throw new RefusedError({ status: 409, reason: "conflict", message: "not twice" });
        },
      },
      {
        method: "GET",
        path: "/counts",
        scope: "read",
        handle: async () => ({
          status: 200,
          stream: (async function* () {
            yield "one ";
            yield new TextEncoder().encode("two");
          })(),
        }),
      },
    ],
  },
  sockets: [
    {
      path: "/echo/:name",
      scope: "chat",
      open: (socket, { params }) => {
        socket.send(`hello ${params["name"]}`);
        socket.onMessage((text) => {
          if (text === "fail") throw new Error("the inner reason");
          socket.send(new TextEncoder().encode(text.toUpperCase()));
        });
      },
    },
  ],
});

/** The next message as text, or the close code. */
function next(socket: WebSocket): Promise<string | number> {
  return new Promise((resolve) => {
    socket.once("message", (data) => resolve(data.toString()));
    socket.once("close", (code) => resolve(code));
  });
}

test("a request goes to its route, with its parts, its body and who asks", async () => {
  const gateway = await testGateway([sample]);
  const response = await gateway.fetch("/things/a%2Fb", {
    method: "POST",
    body: '{"x":[1]}',
    token: gateway.chat,
    headers: { "x-request-id": "mine-1" },
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ id: "a/b", body: { x: [1] }, scope: "chat" });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "x-request-id": "mine-1",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "x-ratelimit-limit": "600",
    "x-ratelimit-remaining": "599",
  });
});

test("the key header of a protocol is as good as a bearer", async () => {
  const gateway = await testGateway([sample]);
  const response = await gateway.fetch("/counts", { token: null, headers: { "x-api-key": gateway.read } });
  expect(await response.text()).toBe("one two");
});

test("refusals are in the words of the protocol; what failed inside is in the log only", async () => {
  const gateway = await testGateway([sample]);
  const refused = await gateway.fetch("/refuses", { headers: { "x-request-id": "r" } });
  expect([refused.status, await refused.json()]).toEqual([409, { said: "not twice", requestId: "r" }]);
  const failed = await gateway.fetch("/fails", { headers: { "x-request-id": "f" } });
  expect([failed.status, await failed.json()]).toEqual([
    500,
    {
      said: "something went wrong; the gateway's log has the details under this request's id",
      requestId: "f",
    },
  ]);
  const bad = await gateway.fetch("/things/1", { method: "POST", body: "{" });
  expect(bad.status).toBe(400);
});

test.each([
  ["GET", "/nothing", 404, undefined],
  ["GET", "/things/1", 405, "POST"],
  ["GET", "/echo/ann", 426, undefined],
])("%s %s is %i", async (method, path, status, allow) => {
  const gateway = await testGateway([sample]);
  const response = await gateway.fetch(path, { method });
  expect([response.status, response.headers.get("allow") ?? undefined]).toEqual([status, allow]);
});

test("a socket echoes, and only its own failure ends it", async () => {
  const gateway = await testGateway([sample]);
  const socket = new WebSocket(`ws://${gateway.host}/echo/ann`, ["dragoman.v1", `bearer.${gateway.chat}`]);
  expect(await next(socket)).toBe("hello ann");
  expect(socket.protocol).toBe("dragoman.v1");
  socket.send("abc");
  expect(await next(socket)).toBe("ABC");
  socket.send("fail");
  expect(await next(socket)).toBe(1011);
});

test("closing tells the sockets, and leaves a run that goes on with its mark", async () => {
  const gateway = await testGateway([sample], { config: { model: "demo/script" } });
  const conversation = await gateway.runtime.begin({ key: "agent:main:main" });
  await conversation.send({ role: "user", content: "stall", timestamp: 1 });
  const socket = new WebSocket(`ws://${gateway.host}/echo/ann`, {
    headers: { authorization: `Bearer ${gateway.chat}` },
  });
  await once(socket, "message");
  const closed = next(socket);
  expect(await gateway.close()).toEqual([conversation]);
  expect(await closed).toBe(1001);
  expect(readdirSync(join(gateway.home, "runs"))).toEqual([conversation.session.id]);
});

test("metrics tell what was done", async () => {
  const gateway = await testGateway([sample]);
  await gateway.fetch("/counts");
  const text = await (await gateway.fetch("/metrics", { token: gateway.read })).text();
  expect(text).toContain('dragoman_http_requests_total{method="GET",route="/counts",status="200"} 1');
  expect(text).toContain("\ndragoman_runs 0\n");
});
