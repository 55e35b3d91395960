import { once } from "node:events";
import { describe, expect, test } from "vitest";
import type { WebSocket } from "ws";
import { testGateway } from "../../fakes/gateway.js";
import { connectTo, dial, guarded, raw, untilClosed } from "../../fakes/guarded-protocol.js";

const limited = (limits: Record<string, number>) => ({ config: { gateway: { limits } } });

function closeCode(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => socket.on("close", resolve));
}

describe("what is too large", () => {
  test("a body that says so is refused before it is read", async () => {
    const gateway = await testGateway([guarded], limited({ bodyBytes: 1000 }));
    const socket = connectTo(gateway);
    const reply = untilClosed(socket);
    // Not a byte of the body follows.
    socket.write(
      [
        "PUT /setting HTTP/1.1",
        `host: ${gateway.host}`,
        `authorization: Bearer ${gateway.admin}`,
        "content-length: 1001",
        "",
        "",
      ].join("\r\n"),
    );
    await once(socket, "data");
    socket.end();
    const { status, body } = await reply;
    expect([status, JSON.parse(body)]).toEqual([
      413,
      { error: "too_large", message: "the body is larger than 1000 bytes", details: { limit: 1000 } },
    ]);
  });

  test("a body that does not say so is refused when it is, though it goes on and on", async () => {
    const gateway = await testGateway([guarded], limited({ bodyBytes: 1000 }));
    const socket = connectTo(gateway);
    const reply = untilClosed(socket);
    socket.write(
      [
        "PUT /setting HTTP/1.1",
        `host: ${gateway.host}`,
        `authorization: Bearer ${gateway.admin}`,
        "transfer-encoding: chunked",
        "",
        "",
      ].join("\r\n"),
    );
    const chunk = `64\r\n${"x".repeat(100)}\r\n`;
    const send = () => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on("drain", send);
    send();
    const { status } = await reply;
    // The rest was in the way of the answer, or it was not.
    expect([413, Number.NaN]).toContain(status);
    expect(await (await gateway.fetch("/setting")).json()).toEqual({ setting: "as it was" });
  });

  test("a body that fits exactly is taken; one that is cut off, no JSON, no UTF-8 or compressed is not", async () => {
    const gateway = await testGateway([guarded], limited({ bodyBytes: 10 }));
    const put = async (body: BodyInit, headers: Record<string, string> = {}) =>
      (await gateway.fetch("/setting", { method: "PUT", body, headers })).status;
    expect(await put('"12345678"')).toBe(200);
    expect(await put('"123456789"')).toBe(413);
    expect(await put("{")).toBe(400);
    expect(await put(new Uint8Array([0x22, 0xff, 0x22]))).toBe(400);
    expect(await put("1", { "content-encoding": "gzip" })).toBe(415);
  });

  test("depth is limited: a megabyte of brackets is refused", async () => {
    const gateway = await testGateway([guarded]);
    const body = "[".repeat(500_000) + "]".repeat(500_000);
    const response = await gateway.fetch("/setting", { method: "PUT", body });
    expect([response.status, (await response.json()).details.code]).toEqual([400, "json/too-deep"]);
  });

  test("headers", async () => {
    const gateway = await testGateway([guarded]);
    const { status, head } = await raw(gateway, [
      "GET /setting HTTP/1.1",
      `host: ${gateway.host}`,
      `x: ${"y".repeat(20_000)}`,
    ]);
    expect(status).toBe(431);
    expect(head).toMatch(/x-request-id: [0-9A-Z]{26}/);
  });

  test("a frame closes its socket with 1009, and a frame that is no text with 1003", async () => {
    const gateway = await testGateway([guarded], limited({ frameBytes: 100 }));
    const headers = { authorization: `Bearer ${gateway.admin}` };
    const [large, binary, fits] = await Promise.all([
      dial(gateway, "/admin-socket", { headers }),
      dial(gateway, "/admin-socket", { headers }),
      dial(gateway, "/admin-socket", { headers }),
    ]);
    const codes = Promise.all([closeCode(large.socket), closeCode(binary.socket)]);
    large.socket.send("x".repeat(101));
    binary.socket.send(Buffer.from("x"));
    expect(await codes).toEqual([1009, 1003]);
    fits.socket.send("x".repeat(100));
    const [echo] = await once(fits.socket, "message");
    expect(String(echo)).toBe("x".repeat(100));
  });

  test("a request with two Host headers is refused", async () => {
    const gateway = await testGateway([guarded]);
    const { status } = await raw(gateway, [
      "GET /setting HTTP/1.1",
      `host: ${gateway.host}`,
      "host: evil.example",
      `authorization: Bearer ${gateway.admin}`,
    ]);
    expect(status).toBe(400);
  });

  test("two requests in the clothes of one are refused", async () => {
    const gateway = await testGateway([guarded]);
    const { status } = await raw(
      gateway,
      ["PUT /setting HTTP/1.1", `host: ${gateway.host}`, "content-length: 4", "transfer-encoding: chunked"],
      "0\r\n\r\nGET /setting HTTP/1.1\r\n\r\n",
    );
    expect(status).toBe(400);
  });
});

describe("what takes too long", () => {
  const timing = { headers: 60, request: 120, check: 20, keepAlive: 60 };

  test.each([
    ["nothing at all", ""],
    ["half of the headers", "GET /healthz HTTP/1.1\r\nhost: x"],
  ])("a connection that sends %s is closed", async (_, bytes) => {
    const gateway = await testGateway([guarded], { timing });
    const socket = connectTo(gateway);
    const closed = untilClosed(socket);
    socket.write(bytes);
    expect((await closed).status).toBe(408);
  });

  test("a body that never ends is given up", async () => {
    const gateway = await testGateway([guarded], { timing });
    const socket = connectTo(gateway);
    const closed = untilClosed(socket);
    socket.write(
      `PUT /setting HTTP/1.1\r\nhost: ${gateway.host}\r\nauthorization: Bearer ${gateway.admin}\r\ncontent-length: 9\r\n\r\n"x`,
    );
    expect((await closed).body).not.toContain("as it was");
    expect(await (await gateway.fetch("/setting")).json()).toEqual({ setting: "as it was" });
  });

  test("a client that reads nothing of a stream is let go", async () => {
    const gateway = await testGateway([guarded], { timing: { stall: 50 } });
    const socket = connectTo(gateway);
    socket.on("error", () => undefined);
    socket.pause();
    socket.write(
      `GET /endless HTTP/1.1\r\nhost: ${gateway.host}\r\nauthorization: Bearer ${gateway.read}\r\n\r\n`,
    );
    expect(await gateway.untilNoted("/endless")).toContain('"status":200');
    socket.destroy();
  });

  test("a socket that does not answer is closed", async () => {
    const gateway = await testGateway([guarded], { timing: { heartbeat: 30 } });
    const headers = { authorization: `Bearer ${gateway.admin}` };
    const { socket } = await dial(gateway, "/admin-socket", { headers });
    // As if the cable were pulled: no pong is sent any more.
    socket.pause();
    expect(await gateway.untilNoted("socket closed")).toContain('"code":1006');
    socket.terminate();
  });
});

describe("what is too much", () => {
  test("a client that leaves too much unread is dropped, and that is counted", async () => {
    const gateway = await testGateway([guarded], limited({ unreadBytes: 200_000 }));
    const { socket } = await dial(gateway, "/flood", {
      headers: { authorization: `Bearer ${gateway.read}` },
    });
    socket.pause();
    await gateway.untilNoted("too much was unread");
    await gateway.untilNoted("socket closed");
    socket.terminate();
    const metrics = await (await gateway.fetch("/metrics")).text();
    expect(metrics).toContain('dragoman_unread_drops_total{route="/flood"} 1\n');
    expect(metrics).toContain("dragoman_sockets 0\n");
  });

  test("a client that reads is sent whatever there is, also what is larger than it may leave unread", async () => {
    const gateway = await testGateway([guarded], limited({ frameBytes: 10_000_000, unreadBytes: 100_000 }));
    const headers = { authorization: `Bearer ${gateway.admin}` };
    const { socket } = await dial(gateway, "/admin-socket", { headers });
    const large = "x".repeat(9_000_000);
    socket.send(large);
    const [echo] = await once(socket, "message");
    expect(String(echo) === large).toBe(true);
    socket.send("y");
    expect(String((await once(socket, "message"))[0])).toBe("y");
  });

  test("requests of a token beyond its rate wait, those of others do not", async () => {
    let now = 1_000_000;
    const gateway = await testGateway([guarded], { ...limited({ requestsPerMinute: 2 }), now: () => now });
    const status = async (token: string | null) => (await gateway.fetch("/setting", { token })).status;
    expect([await status(gateway.read), await status(gateway.read)]).toEqual([200, 200]);
    const refused = await gateway.fetch("/setting", { token: gateway.read });
    expect(refused.status).toBe(429);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      "retry-after": "30",
      "x-ratelimit-limit": "2",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": "60",
    });
    expect(await status(gateway.chat)).toBe(200);
    now += 30_000;
    expect([await status(gateway.read), await status(gateway.read)]).toEqual([200, 429]);
    expect([await status(null), await status(null), await status(null)]).toEqual([401, 401, 429]);
  });

  test("messages of a socket count too", async () => {
    const gateway = await testGateway([guarded], { ...limited({ requestsPerMinute: 3 }), now: () => 1 });
    const headers = { authorization: `Bearer ${gateway.admin}` };
    const { socket } = await dial(gateway, "/admin-socket", { headers });
    const code = closeCode(socket);
    for (const text of ["one", "two", "three"]) socket.send(text);
    expect(await code).toBe(1008);
  });

  test("connections beyond the limit are not taken", async () => {
    const gateway = await testGateway([guarded], limited({ connections: 1 }));
    const first = connectTo(gateway);
    await once(first, "connect");
    await expect(raw(gateway, ["GET /healthz HTTP/1.1", `host: ${gateway.host}`])).resolves.toMatchObject({
      head: "",
    });
    first.destroy();
  });

  test("wrong tokens lock their address out, longer each time, but not the right one; the same wrong one counts once", async () => {
    let now = 1_000_000;
    const gateway = await testGateway([guarded], { now: () => now });
    const ask = async (token: string) => {
      const response = await gateway.fetch("/setting", { token });
      return [response.status, response.headers.get("retry-after")];
    };
    for (let again = 0; again < 20; again++) expect(await ask("dgm_stale")).toEqual([401, null]);
    for (const guess of ["1", "2", "3", "4"]) expect(await ask(guess)).toEqual([401, null]);
    expect(await ask("5")).toEqual([401, null]);
    expect(await ask("6")).toEqual([429, "1"]);
    expect(await ask(gateway.admin)).toEqual([200, null]);
    now += 1_000;
    expect(await ask("6")).toEqual([401, null]);
    expect(await ask("7")).toEqual([429, "2"]);
    now += 2_000;
    expect(await ask("7")).toEqual([401, null]);
    expect(await ask("8")).toEqual([429, "4"]);
    expect(await ask(gateway.admin)).toEqual([200, null]);
    const outcomeWith = async (token: string) =>
      (await dial(gateway, "/admin-socket", { headers: { authorization: `Bearer ${token}` } })).outcome;
    expect([await outcomeWith("8"), await outcomeWith(gateway.admin)]).toEqual([429, "open"]);
  });
});
