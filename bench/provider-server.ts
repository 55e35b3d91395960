import { createServer } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { providerStream } from "./support/provider-streams.js";

// A process of its own. It tells its address to the process that started it, and ends with it.

const CHUNK_BYTES = 16 * 1024;

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
  const chunks = answerTo(request.url ?? "");
  request.resume();
  response.writeHead(200, { "content-type": "text/event-stream" });
  try {
    await pipeline(Readable.from(chunks), response);
  } catch {
    // A client that has seen the last event may hang up.
    response.destroy();
  }
});
server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
process.on("disconnect", () => process.exit());
