import { expect, test } from "vitest";
import { fileContent, sendError } from "./send.js";

/** As Baileys throws it. */
function boom(message: string, statusCode: number, data?: unknown) {
  return Object.assign(new Error(message), { output: { statusCode }, data });
}

test.each([
  ["a socket that is closed", boom("Connection Closed", 428), "later"],
  ["a socket that closes while people are looked up", 1006, "later"],
  ["half a frame", Object.assign(new Error("write EPIPE"), { code: "EPIPE", syscall: "write" }), "later"],
  ["a file that could not be uploaded", boom("Media upload failed on all hosts", 500), "later"],
  ["a group one is not in", boom("forbidden", 500, 403), "refused"],
  ["WhatsApp is tired", boom("internal-server-error", 500, 503), "later"],
  ["no answer", boom("Timed Out", 408), "unknown"],
  ["a connection that broke", Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }), "unknown"],
  ["what cannot be written", new TypeError("Invalid message"), "refused"],
])("%s", (_, error, fate) => {
  expect(sendError(error).fate).toBe(fate);
});

test.each([
  ["image/png", { image: Buffer.from("x"), mimetype: "image/png", caption: "Hi" }],
  ["video/mp4", { video: Buffer.from("x"), mimetype: "video/mp4", caption: "Hi" }],
  ["audio/ogg", { document: Buffer.from("x"), mimetype: "audio/ogg", fileName: "a.csv", caption: "Hi" }],
  ["text/csv", { document: Buffer.from("x"), mimetype: "text/csv", fileName: "a.csv", caption: "Hi" }],
  [
    undefined,
    { document: Buffer.from("x"), mimetype: "application/octet-stream", fileName: "a.csv", caption: "Hi" },
  ],
])("a file of type %s", (mimeType, content) => {
  const bytes = new Uint8Array([120]);
  expect(fileContent({ bytes, name: "a.csv", ...(mimeType !== undefined && { mimeType }) }, "Hi")).toEqual(
    content,
  );
});

test("audio without words can be played", () => {
  const bytes = new Uint8Array([120]);
  expect(fileContent({ bytes, mimeType: "audio/ogg; codecs=opus" }, "")).toEqual({
    audio: Buffer.from("x"),
    mimetype: "audio/ogg; codecs=opus",
  });
});
