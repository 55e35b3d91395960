import { expect, test } from "vitest";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import { timbalProtocol } from "../../../src/gateway/timbal/protocol.js";
import { methodNames } from "../../../src/protocol/checks.js";
import { testGateway } from "../../fakes/gateway.js";
import { RpcSocket } from "../../fakes/rpc-socket.js";

const REFUSED = "this token only allows reading the session that was shared";
const allowed = ["chat.history", "chat.subscribe", "chat.unsubscribe", "connect", "health", "sessions.get"];

test("a token of a share link reads its session, live, and nothing else", async () => {
  const gateway = await testGateway([rpc, timbalProtocol]);
  const admin = await RpcSocket.open(gateway.host, gateway.admin);
  const { id } = await admin.call("sessions.create", { key: "agent:main:main", title: "Shared" });
  const { id: secretId } = await admin.call("sessions.create", { key: "agent:main:other" });
  const { secret, token } = await admin.call("tokens.create", {
    name: "share",
    scope: "read",
    session: "agent:main:main",
    expires: Date.now() + 3_600_000,
  });
  expect(token).toMatchObject({ session: id, scope: "read" });

  const guest = await RpcSocket.open(gateway.host, String(secret));
  const welcome = await guest.call("connect");
  expect(welcome).toMatchObject({ scope: "read", session: id });
  expect((welcome["methods"] as string[]).toSorted()).toEqual(allowed);
  expect(await guest.call("sessions.get", { sessionKey: id })).toMatchObject({
    session: { title: "Shared" },
  });
  await guest.call("chat.subscribe", { sessionKey: id });
  await admin.call("chat.send", { sessionKey: "agent:main:main", text: "hello" });
  await guest.until(({ event, data }) => event === "chat" && Object(data).state === "final");
  expect(await guest.call("chat.history", { sessionKey: id, limit: 1 })).toMatchObject({
    messages: [{ message: { role: "assistant" } }],
  });

  for (const method of methodNames.filter((name) => !allowed.includes(name))) {
    await expect(guest.call(method, { sessionKey: id })).rejects.toThrow(
      /Invalid params|only allows|needs the/,
    );
  }
  await expect(guest.call("sessions.list", {})).rejects.toThrow(REFUSED);
  await expect(guest.call("sessions.search", { query: "hello" })).rejects.toThrow(REFUSED);
  await expect(guest.call("sessions.export", { sessionKey: id })).rejects.toThrow(REFUSED);
  for (const sessionKey of [secretId, "agent:main:other", "agent:main:main", String(id).slice(0, 20)]) {
    await expect(guest.call("chat.history", { sessionKey })).rejects.toThrow(REFUSED);
    await expect(guest.call("chat.subscribe", { sessionKey })).rejects.toThrow(REFUSED);
    await expect(guest.call("sessions.get", { sessionKey })).rejects.toThrow(REFUSED);
  }
  await expect(guest.call("sessions.get", { sessionKey: id, source: "all" })).rejects.toThrow(REFUSED);
  const metrics = await gateway.fetch("/metrics", { token: String(secret) });
  const thread = await gateway.fetch(`/v1/threads/${id}/messages`, { method: "POST", token: String(secret) });
  expect([metrics.status, thread.status]).toEqual([403, 403]);
});

test("a token for one session has the scope read, and the session exists", async () => {
  const gateway = await testGateway([rpc]);
  const admin = await RpcSocket.open(gateway.host, gateway.admin);
  await admin.call("sessions.create", { key: "agent:main:main" });
  const create = (params: object) =>
    admin.call("tokens.create", { name: "share", session: "agent:main:main", ...params });
  await expect(create({ scope: "chat" })).rejects.toThrow("has the scope read");
  await expect(create({ scope: "read", session: "agent:main:none" })).rejects.toThrow("there is no session");
});
