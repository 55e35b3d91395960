import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { isObject } from "../core/json/value.js";
import { fetchFile } from "./fetch-file.js";

const { signal } = new AbortController();

/** A server that has two bytes of a file at once, and no more. */
async function drippingServer(): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === "/elsewhere") response.writeHead(302, { location: "/file" }).end();
    else response.writeHead(200, { "content-length": "1000" }).write("hi");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${isObject(address) ? address["port"] : ""}`;
}

test("a file that does not end in time is not waited for", async () => {
  const url = `${await drippingServer()}/file`;
  await expect(fetchFile({ url, fetch, signal, mostBytes: 1000, patienceMs: 50 })).rejects.toMatchObject({
    code: "channel/no-file",
    message: "could not download the file: it took longer than 0.05 seconds",
  });
});

test("an address that leads elsewhere is not followed", async () => {
  const url = `${await drippingServer()}/elsewhere`;
  await expect(fetchFile({ url, fetch, signal, mostBytes: 1000 })).rejects.toMatchObject({
    code: "channel/no-file",
    message: "could not download the file: unexpected redirect",
  });
});

test("what an address has to hide is hidden", async () => {
  const failing: typeof fetch = async () => {
    throw new Error("no route to /bot123:ABC/file");
  };
  const scrub = (text: string) => text.replace("123:ABC", "…");
  await expect(
    fetchFile({ url: "https://a.example", fetch: failing, signal, mostBytes: 1, scrub }),
  ).rejects.toThrow("could not download the file: no route to /bot…/file");
});
