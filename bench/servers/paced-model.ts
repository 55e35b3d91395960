import { createServer } from "node:http";
import { setImmediate, setTimeout } from "node:timers/promises";
import { stamp } from "../support/stamp.js";
import { listening } from "./listening.js";

/** A Chat Completions model: it answers `100 50` with 100 words, one every 50 ms, each the time at which it was sent. */
const server = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  const { model, messages } = JSON.parse(text);
  const [words = 0, pause = 0] = String(messages.at(-1).content).split(" ").map(Number);
  const say = (delta: object, finish_reason: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model, choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
    );
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let word = 0; word < words; word++) {
    say({ role: "assistant", content: stamp() });
    await (pause === 0 ? setImmediate() : setTimeout(pause));
  }
  say({}, "stop");
  response.end("data: [DONE]\n\n");
});
listening(server);
