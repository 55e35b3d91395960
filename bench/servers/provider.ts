import { createServer } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { providerStream } from "../support/provider-streams.js";
import { listening } from "./listening.js";

const CHUNK_BYTES = 16 * 1024;

/** A provider with two APIs. The path selects the answer (`/anthropic/text/1000/…`), or the model: `m-1000` answers with a text. */
const answers = new Map<string, Buffer[]>();

function answerTo(path: string): Buffer[] {
  const known = answers.get(path);
  if (known !== undefined) return known;
  const bytes = Buffer.from(providerStream(path));
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) chunks.push(bytes.subarray(at, at + CHUNK_BYTES));
  answers.set(path, chunks);
  return chunks;
}

const server = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  const { url = "" } = request;
  const [, length] = /"model":"[^"]*m-(\d+)"/.exec(text) ?? [];
  const api = url === "/v1/messages" ? "anthropic" : "openai-chat";
  response.writeHead(200, { "content-type": "text/event-stream" });
  try {
    await pipeline(Readable.from(answerTo(length === undefined ? url : `/${api}/text/${length}`)), response);
  } catch {
    // A client may disconnect after the last event.
    response.destroy();
  }
});
listening(server);
