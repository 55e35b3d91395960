import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { oauthError } from "./oauth-error.js";

/** Waits for the browser to come back from the authorization server. */
export interface RedirectListener {
  /** `http://127.0.0.1:53817/callback` */
  readonly uri: string;
  /** The parameters of the redirect that has this `state`. Redirects with another one are refused. */
  parameters(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  close(): void;
}

const PATH = "/callback";

/**
 * Listens on this computer only. `preferred` is the address of an earlier login, which the authorization server knows; if its
 * port is in use, another is chosen.
 */
export async function listenForRedirect(preferred?: string): Promise<RedirectListener> {
  const waiting: { state: string; accept(parameters: URLSearchParams): void }[] = [];
  const server = createServer((request, response) => {
    const parameters = parametersOf(request);
    const state = parameters?.get("state");
    const found = waiting.find((one) => one.state === state);
    if (parameters === undefined) answer(response, 404, "There is nothing at this address.");
    else if (found === undefined) answer(response, 400, "This login is not in progress. Start it again.");
    else {
      answer(response, 200, "You can close this page and return to Dragoman.");
      found.accept(parameters);
    }
  });
  const wanted = preferred === undefined ? 0 : Number(new URL(preferred).port);
  const port = await listen(server, wanted).catch(() => listen(server, 0));
  return {
    uri: `http://127.0.0.1:${port}${PATH}`,
    parameters: (state, signal) =>
      new Promise((accept, fail) => {
        const give = () => fail(oauthError("the login was not completed", "start it again"));
        if (signal.aborted) give();
        signal.addEventListener("abort", give, { once: true });
        waiting.push({ state, accept });
      }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function parametersOf({ method, url = "" }: IncomingMessage): URLSearchParams | undefined {
  const target = new URL(url, "http://127.0.0.1");
  return method === "GET" && target.pathname === PATH ? target.searchParams : undefined;
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    connection: "close",
  });
  response.end(`${text}\n`);
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once("error", fail);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", fail);
      const address = server.address();
      done(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}
