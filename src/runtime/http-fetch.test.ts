import { createServer, IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { textOf } from "../providers/payloads.js";
import { httpFetch } from "./http-fetch.js";
import { ResponseReader } from "./response-reader.js";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("the request and the answer are complete", async () => {
  const url = await serve(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method, url: path, headers } = request;
    response.setHeader("x-list", ["a", "b"]);
    response.end(
      JSON.stringify({ method, path, key: headers["x-key"], length: headers["content-length"], body }),
    );
  });
  const response = await httpFetch(`${url}/v1?a=1`, {
    method: "POST",
    headers: { "x-key": "k" },
    body: "é",
    redirect: "manual",
  });
  expect([response.ok, response.status]).toEqual([true, 200]);
  expect([response.headers.get("x-list"), response.headers.get("x-none")]).toEqual(["a, b", null]);
  expect(JSON.parse(await textOf(response, 1000))).toEqual({
    method: "POST",
    path: "/v1?a=1",
    key: "k",
    length: "2",
    body: "é",
  });
});

test("a redirect is not followed", async () => {
  const url = await serve((_, response) => response.writeHead(307, { location: "/other" }).end());
  const response = await httpFetch(url, { method: "POST", body: "{}", redirect: "manual" });
  expect([response.ok, response.status, response.headers.get("location")]).toEqual([false, 307, "/other"]);
});

test("a kept connection that the server has closed is replaced", async () => {
  let requests = 0;
  const url = await serve((request, response) => {
    requests++;
    // The second request on a connection finds it closed.
    if (requests === 2) request.socket.destroy();
    else response.end(String(requests));
  });
  const ask = async () => textOf(await httpFetch(url, { redirect: "manual" }), 100);
  expect([await ask(), await ask()]).toEqual(["1", "3"]);
});

test("a connection that breaks on its first request is an error", async () => {
  const url = await serve((request) => request.socket.destroy());
  await expect(httpFetch(url, { redirect: "manual" })).rejects.toThrow("socket hang up");
});

test("an abort ends the request, and the body", async () => {
  const controller = new AbortController();
  const url = await serve((_, response) => {
    response.write("first");
  });
  const response = await httpFetch(url, { signal: controller.signal, redirect: "manual" });
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(first?.done === false && new TextDecoder().decode(first.value)).toBe("first");
  controller.abort();
  await expect(reader?.read()).rejects.toThrow("aborted");
  await expect(httpFetch(url, { signal: controller.signal, redirect: "manual" })).rejects.toMatchObject({
    name: "AbortError",
  });
});

test("chunks that arrived together are read without waiting", async () => {
  const url = await serve((_, response) => {
    response.write("a");
    response.write("b");
    response.end("c");
  });
  const { body } = await httpFetch(url, { redirect: "manual" });
  const reader = body?.getReader();
  const first = await reader?.read();
  const rest = [reader?.readNow?.(), reader?.readNow?.(), reader?.readNow?.()];
  const texts = [first?.value, ...rest].map((bytes) => bytes && Buffer.from(bytes as Uint8Array).toString());
  expect(texts).toEqual(["a", "b", "c", undefined]);
  expect(await reader?.read()).toEqual({ done: true, value: undefined });
});

test("the server waits while much is unread", async () => {
  const answer = new IncomingMessage(new Socket());
  const reader = new ResponseReader(answer);
  answer.push(Buffer.alloc(300_000));
  expect((await reader.read()).value).toHaveLength(300_000);
  expect(answer.isPaused()).toBe(true);
  expect(reader.readNow()).toBeUndefined();
  expect(answer.isPaused()).toBe(false);
});
