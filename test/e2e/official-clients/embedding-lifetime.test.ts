import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import OpenAI, { APIUserAbortError } from "openai";
import { expect, onTestFinished, test } from "vitest";
import { gatewayForEachTest } from "./gateway.js";

const gateway = gatewayForEachTest();

/** A gateway whose provider `acme` never answers. */
async function withSilentProvider(): Promise<Server> {
  const server = createServer((request) => request.resume());
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await gateway().restart({ providers: { acme: { baseUrl, apiKey: "k" } }, models: { "acme/m": {} } });
  return server;
}

async function nextResponse(server: Server): Promise<ServerResponse> {
  const [, response] = await once(server, "request");
  return response;
}

function client(): OpenAI {
  return new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().chat, maxRetries: 0 });
}

test("a client that disconnects ends the call", async () => {
  const server = await withSilentProvider();
  const arriving = nextResponse(server);
  const controller = new AbortController();
  const asking = client().embeddings.create({ model: "acme/m", input: "ab" }, { signal: controller.signal });
  const response = await arriving;
  const closed = once(response, "close");
  controller.abort();
  await expect(asking).rejects.toBeInstanceOf(APIUserAbortError);
  await closed;
  expect(response.writableFinished).toBe(false);
});

test("a gateway that shuts down says so", async () => {
  const server = await withSilentProvider();
  const arriving = nextResponse(server);
  const asking = client().embeddings.create({ model: "acme/m", input: "ab" });
  const refused = expect(asking).rejects.toMatchObject({
    status: 503,
    message: "503 the gateway is shutting down",
  });
  await arriving;
  await gateway().close();
  await refused;
});
