import { readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createGzip } from "node:zlib";
import { readFailure } from "../files/file-errors.js";
import { openOutput } from "../files/output.js";

const template = fileURLToPath(new URL("../../../dist/web/standalone.html", import.meta.url));
/** The transcript goes into an element that browsers do not execute. */
const PLACE = '<script type="text/plain" id="transcript">';

/** The text is in an element that browsers ignore if they run scripts. The page's script has the tag, too, after it. */
const TEXT = "<noscript>";
const TEXT_END = "</noscript>";

export interface PageContent {
  /** What the viewer reads. It is written gzipped as base64, which cannot close the element. */
  transcript: AsyncIterable<Uint8Array>;
  /** HTML for readers without scripts (default: a sentence that the viewer needs them). */
  text?: AsyncIterable<string>;
}

/** Writes one page with the viewer and, if given, a transcript. */
export async function writePage(path: string, content?: PageContent): Promise<void> {
  const page = await readFile(template, "utf8").catch((error: unknown) => {
    throw readFailure(template, error);
  });
  const textAt = page.indexOf(TEXT) + TEXT.length;
  const textEnd = page.indexOf(TEXT_END, textAt);
  const at = page.indexOf(PLACE, textEnd) + PLACE.length;
  const output = await openOutput(path);
  await output.write(page.slice(0, textAt));
  if (content?.text === undefined) await output.write(page.slice(textAt, textEnd));
  else for await (const piece of content.text) await output.write(piece);
  await output.write(page.slice(textEnd, at));
  if (content !== undefined) {
    await pipeline(content.transcript, createGzip(), async (zipped: AsyncIterable<Uint8Array>) => {
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
