import { createCipheriv, createHmac, hkdfSync } from "node:crypto";
import { expect, test } from "vitest";
import { download } from "./download.js";

const key = Buffer.alloc(32, 7);
const file = Buffer.from("\x89PNG\r\n\x1a\n and so on", "latin1");

/** As WhatsApp keeps it. */
function encrypted(plain: Uint8Array, name = "Image"): Buffer {
  const keys = Buffer.from(hkdfSync("sha256", key, Buffer.alloc(32), `WhatsApp ${name} Keys`, 112));
  const cipher = createCipheriv("aes-256-cbc", keys.subarray(16, 48), keys.subarray(0, 16));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  const mac = createHmac("sha256", keys.subarray(48, 80))
    .update(keys.subarray(0, 16))
    .update(ciphertext)
    .digest();
  return Buffer.concat([ciphertext, mac.subarray(0, 10)]);
}

interface Asked {
  handle?: object;
  body?: Uint8Array;
  status?: number;
  mostBytes?: number;
  bytes?: number;
  socketUrl?: string;
}

async function fetched({
  handle,
  body = encrypted(file),
  status = 200,
  mostBytes = 18,
  bytes,
  socketUrl,
}: Asked) {
  const urls: string[] = [];
  const options = {
    fetch: async (url: string | URL | Request) => {
      urls.push(String(url));
      return new Response(Uint8Array.from(body), { status });
    },
    mostBytes,
    signal: new AbortController().signal,
    socketUrl,
  };
  const where = { directPath: "/v/t62/x?ccb=1", mediaKey: key.toString("base64"), ...handle };
  const attachment = {
    kind: "image",
    handle: JSON.stringify(where),
    ...(bytes !== undefined && { bytes }),
  } as const;
  const media = await download(attachment, options).catch((error: { code: string }) => error.code);
  return { urls, media: typeof media === "string" ? media : Buffer.from(media.bytes).toString("latin1") };
}

test("a file is fetched from WhatsApp and decrypted", async () => {
  expect(await fetched({})).toEqual({
    urls: ["https://mmg.whatsapp.net/v/t62/x?ccb=1"],
    media: "\x89PNG\r\n\x1a\n and so on",
  });
});

test.each([
  ["another host", { directPath: undefined, url: "https://example.com/x" }],
  ["a host that looks like theirs", { directPath: undefined, url: "https://mmg.whatsapp.net.example.com/x" }],
  ["a host in the path", { directPath: "@example.com/x", url: "https://mmg.whatsapp.net@example.com/x" }],
  ["our own machine", { directPath: undefined, url: "http://127.0.0.1/x" }],
  ["no address", { directPath: undefined }],
  ["no key", { mediaKey: undefined }],
])("the sender says where it is, but not anywhere: %s", async (_, handle) => {
  expect(await fetched({ handle })).toEqual({ urls: [], media: "channel/no-file" });
});

test("a path never leads to another host", async () => {
  const { urls } = await fetched({ handle: { directPath: "//example.com/x" } });
  expect(urls.map((url) => new URL(url).host)).toEqual(["mmg.whatsapp.net"]);
});

test("where WhatsApp is elsewhere, so are its files", async () => {
  const handle = { directPath: undefined, url: "http://127.0.0.1:5/x" };
  const { media } = await fetched({ handle, socketUrl: "ws://127.0.0.1:5/ws/chat" });
  expect(media).toBe("\x89PNG\r\n\x1a\n and so on");
});

test.each([
  ["it says so itself", { bytes: 19 }, 0],
  ["it is, whatever it says", { bytes: 3, body: encrypted(Buffer.alloc(19)) }, 1],
  ["it is far more", { body: Buffer.alloc(1000) }, 1],
])("too large: %s", async (_, asked, requests) => {
  const { urls, media } = await fetched(asked);
  expect([urls.length, media]).toEqual([requests, "channel/file-too-large"]);
});

test.each([
  ["damaged", { body: Buffer.concat([Buffer.from("x"), encrypted(file).subarray(1)]) }],
  ["of another kind", { body: encrypted(file, "Audio") }],
  ["empty", { body: Buffer.alloc(0) }],
  ["gone", { status: 410 }],
])("%s", async (_, asked) => {
  expect((await fetched(asked)).media).toBe("channel/no-file");
});
