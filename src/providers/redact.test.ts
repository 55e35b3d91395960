import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { failureIn } from "../core/message/failure.js";
import { type ConnectOptions, connect } from "./connect.js";

const messages = [{ role: "user" as const, content: "hi", timestamp: 1 }];
const KEY = "plain.words.as.a.key";

function model(response: () => Response, options: ConnectOptions = {}) {
  return connect("local/m", {
    api: "openai-chat",
    baseUrl: "http://127.0.0.1:9",
    apiKey: KEY,
    maxRetries: 0,
    fetch: async () => response(),
    ...options,
  });
}

const events = (...payloads: string[]) =>
  new Response(payloads.map((payload) => `data: ${payload}\n\n`).join(""), {
    headers: { "content-type": "text/event-stream" },
  });

test("a refusal that repeats the key is thrown without it", async () => {
  const body = { error: { message: `bad key ${KEY}, not sk-abcdefghij`, code: `no-${KEY}` } };
  const refused = model(() => new Response(JSON.stringify(body), { status: 401 })).complete({ messages });
  const error = await refused.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: "provider/http",
    message: "HTTP 401: bad key [secret], not [secret]",
    hint: "check the API key",
    details: { status: 401, code: "no-[secret]" },
  });
});

test("so is the key of a header that was configured", async () => {
  const options = { headers: { "X-Auth": "Token abcdefgh-header" } };
  const refused = model(() => new Response("abcdefgh-header is wrong", { status: 403 }), options);
  await expect(refused.complete({ messages })).rejects.toMatchObject({
    message: "HTTP 403: [secret] is wrong",
  });
});

test("an error while an answer is streaming, and a payload that is not JSON, are stored without the key", async () => {
  const told = JSON.stringify({ error: { message: `key ${KEY} was revoked` } });
  const begun = JSON.stringify({ choices: [{ index: 0, delta: { content: "He" } }] });
  const failed = await model(() => events(begun, told)).complete({ messages });
  expect(failed.errorMessage).toBe("the provider failed: key [secret] was revoked");
  const broken = await model(() => events(begun, `{ ${KEY}`)).complete({ messages });
  expect(broken.errorMessage).toBe("the stream contains a payload that is not JSON: { [secret]");
});

test("a cause that holds the key does not go along", async () => {
  const options: ConnectOptions = {
    fetch: () => Promise.reject(new TypeError("fetch failed", { cause: new Error(`header ${KEY}`) })),
  };
  const error = await model(() => events(), options)
    .complete({ messages })
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ message: "the provider cannot be reached: fetch failed (header [secret])" });
  expect(error).not.toHaveProperty("cause");
});

test("an answer that is larger than it may be ends in an error of ours, with what had arrived", async () => {
  const begun = JSON.stringify({ choices: [{ index: 0, delta: { content: "He" } }] });
  const options = { maxAnswerBytes: 1000 };
  const chunks = [`data: ${begun}\n\n`, `data: ${"x".repeat(1000)}`];
  const body = () =>
    new ReadableStream({ pull: (to) => to.enqueue(new TextEncoder().encode(chunks.shift())) });
  const cut = await model(() => new Response(body()), options).complete({ messages });
  expect(cut).toMatchObject({ stopReason: "error", content: [{ type: "text", text: "He" }] });
  expect(failureIn(cut)).toEqual({
    message: "the answer is larger than 1000 bytes",
    code: "provider/bad-response",
    retryable: false,
  });
});

test("what is compressed counts uncompressed, and is not unpacked to its end", async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20, ":\n"));
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
    response.end(bomb);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  let read = 0;
  const counting: ConnectOptions["fetch"] = async (url, init) => {
    const { body, headers } = await fetch(url, init);
    const counted = body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, to) {
          read += chunk.length;
          to.enqueue(chunk);
        },
      }),
    );
    return new Response(counted ?? null, { headers });
  };
  const options = { baseUrl: `http://127.0.0.1:${port}`, maxAnswerBytes: 2 ** 20, fetch: counting };
  await expect(model(() => events(), options).complete({ messages })).rejects.toMatchObject({
    code: "provider/bad-response",
    message: "the answer is larger than 1048576 bytes",
  });
  expect(read).toBeLessThan(4 * 2 ** 20);
  server.close();
});

test("of the body of a failure only the beginning is read", async () => {
  const chunk = new TextEncoder().encode("no ".repeat(100_000));
  let pulled = 0;
  const endless = () =>
    new ReadableStream({
      pull(to) {
        pulled++;
        to.enqueue(chunk);
      },
    });
  const refused = model(() => new Response(endless(), { status: 400 })).complete({ messages });
  await expect(refused).rejects.toMatchObject({ code: "provider/http" });
  expect(pulled).toBeLessThan(10);
});
