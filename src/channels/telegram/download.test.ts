import { expect, test } from "vitest";
import { scrubber } from "../scrub.js";
import { download } from "./download.js";

const photo = { kind: "image", handle: "p", mimeType: "image/png", name: "cat.png" } as const;

function source(fetched: typeof fetch) {
  return {
    call: async () => ({ file_path: "photos/1.png" }),
    fetch: fetched,
    root: "https://api.telegram.org/file/bot1:SECRET",
    signal: new AbortController().signal,
    scrub: scrubber("1:SECRET", "[token]"),
  };
}

test("a file, from where Telegram says it is", async () => {
  const asked: unknown[] = [];
  const media = await download(
    source(async (url) => {
      asked.push(url);
      return new Response("abc");
    }),
    photo,
    3,
  );
  expect(asked).toEqual(["https://api.telegram.org/file/bot1:SECRET/photos/1.png"]);
  expect([...media.bytes]).toEqual([97, 98, 99]);
});

test("one that is larger than Telegram says is not read to its end", async () => {
  let pulled = 0;
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      pulled++;
      controller.enqueue(new Uint8Array(1000));
    },
    cancel: () => {
      cancelled = true;
    },
  });
  await expect(
    download(
      source(async () => new Response(endless)),
      photo,
      5000,
    ),
  ).rejects.toMatchObject({
    code: "channel/file-too-large",
    message: "the file is larger than 5000 bytes",
  });
  expect([cancelled, pulled < 10]).toEqual([true, true]);
});

test.each<[string, typeof fetch, string]>([
  ["is gone", async () => new Response("", { status: 404 }), "could not download the file (HTTP 404)"],
  [
    "cannot be reached",
    async (url) => {
      throw new Error(`Failed to parse URL from ${url}`);
    },
    "could not download the file: Failed to parse URL from https://api.telegram.org/file/bot[token]/photos/1.png",
  ],
])("one that %s", async (_name, fetched, message) => {
  await expect(download(source(fetched), photo, 99)).rejects.toMatchObject({
    code: "channel/no-file",
    message,
  });
});
