import { expect, test, vi } from "vitest";
import { client } from "./client.js";

const options = { token: "1:a", apiRoot: "http://127.0.0.1:9", fetch, signal: new AbortController().signal };

test("without grammY it says what to install", async () => {
  vi.doMock("grammy/web", () => {
    throw new Error("Cannot find package 'grammy'");
  });
  await expect(client(options)).rejects.toMatchObject({
    code: "channel/no-client",
    message: "Telegram needs the package grammy, which is not installed",
    hint: "npm install grammy",
  });
  vi.doUnmock("grammy/web");
});

test("a call that has no answer ends", async () => {
  const silent: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
    });
  const { call } = await client({ ...options, fetch: silent });
  await expect(call("getMe", {}, 5)).rejects.toThrow("it took longer than 0.005 seconds");
});

test("a call of a closed channel was certainly not made", async () => {
  const closing = new AbortController();
  const { call } = await client({ ...options, signal: closing.signal });
  closing.abort();
  await expect(call("sendMessage", {})).rejects.toMatchObject({
    fate: "later",
    message: "the channel is closed",
  });
});
