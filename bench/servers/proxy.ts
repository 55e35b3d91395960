import { Agent, createServer, request } from "node:http";
import { listening } from "./listening.js";

/** The smallest proxy between a client and a provider: it forwards bytes in both directions without reading them. */
const [, , provider = ""] = process.argv;
const agent = new Agent({ keepAlive: true });

const server = createServer((incoming, response) => {
  const headers = {
    "content-type": "application/json",
    "content-length": incoming.headers["content-length"],
  };
  const asking = request(`${provider}${incoming.url}`, { agent, method: "POST", headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, { "content-type": answer.headers["content-type"] });
    answer.pipe(response);
  });
  incoming.pipe(asking);
});
listening(server);
