import { readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createGzip } from "node:zlib";
import { readFailure } from "../files/file-errors.js";
import { openOutput } from "../files/output.js";

const template = fileURLToPath(new URL("../../../dist/web/standalone.html", import.meta.url));
/** The transcript goes into an element that browsers do not execute. */
const PLACE = '<script type="text/plain" id="transcript">';

/** Writes one page with the viewer and, if given, a transcript, gzipped as base64, which cannot close the element. */
export async function writePage(path: string, transcript?: AsyncIterable<Uint8Array>): Promise<void> {
  const page = await readFile(template, "utf8").catch((error: unknown) => {
    throw readFailure(template, error);
  });
  const at = page.indexOf(PLACE) + PLACE.length;
  const output = await openOutput(path);
  await output.write(page.slice(0, at));
  if (transcript !== undefined) {
    await pipeline(transcript, createGzip(), async (zipped: AsyncIterable<Uint8Array>) => {
      for await (const text of base64(zipped)) await output.write(text);
    });
  }
  await output.write(page.slice(at));
  await output.commit();
}

/** Three bytes make four characters; the remainder waits for the next piece. */
async function* base64(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    const whole = bytes.length - (bytes.length % 3);
    yield bytes.toString("base64", 0, whole);
    rest = bytes.subarray(whole);
  }
  yield rest.toString("base64");
}
