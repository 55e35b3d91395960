import { createServer } from "node:http";
import { listening } from "./listening.js";

/** The smallest Chat Completions server: reads the request and streams one word. */
const server = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  const { model } = JSON.parse(text);
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(`data: ${JSON.stringify({ model, choices: [{ index: 0, delta: { content: "Hi" } }] })}\n\n`);
  response.end("data: [DONE]\n\n");
});
listening(server);
