import { OpenRequests } from "../../core/async/open-requests.js";
import { wordsOf } from "../../core/error.js";
import { parseJson } from "../../core/json/parse.js";
import { decodeLine, type Line, LineSplitter } from "../../framing/lines.js";
import { type JsonRpcMessage, messageOf } from "../checks.js";
import type { JsonRpcRequest } from "../wire.js";
import { answerRequest } from "./answer-request.js";
import { failureMessage, RpcError } from "./rpc-error.js";
import type { McpService } from "./served-tool.js";

/**
 * Serves a client over a pair of byte streams, one message per line, such as standard input and output. Requests run
 * concurrently. When the input ends, open requests are cancelled; fulfilled when all of them have ended.
 *
 * @example
 * await serveLines(service, process.stdin, (line) => process.stdout.write(line));
 */
export async function serveLines(
  service: McpService,
  input: AsyncIterable<Uint8Array>,
  write: (line: string) => void,
): Promise<void> {
  const connection = new LineConnection(service, write);
  const lines = new LineSplitter();
  try {
    for await (const chunk of input) {
      for (const line of lines.push(chunk)) connection.accept(line);
    }
    for (const line of lines.finish()) connection.accept(line);
  } finally {
    await connection.close();
  }
}

class LineConnection {
  readonly #service: McpService;
  readonly #write: (line: string) => void;
  readonly #open = new OpenRequests();

  constructor(service: McpService, write: (line: string) => void) {
    this.#service = service;
    this.#write = write;
  }

  accept(line: Line): void {
    if (line.bytes.length === 0) return;
    const read = readMessage(line);
    if (read instanceof RpcError) this.#send(failureMessage(null, read));
    else if (read.kind === "request") this.#start(read.message);
    else if (read.kind === "notification" && read.message.method === "notifications/cancelled") {
      this.#open.cancel(read.message.params?.["requestId"]);
    }
    // Other notifications need no reaction, and responses answer nothing: the server sends no requests.
  }

  close(): Promise<void> {
    return this.#open.close();
  }

  #start(request: JsonRpcRequest): void {
    const { id } = request;
    if (this.#open.has(id)) {
      const message = `a request with the id ${JSON.stringify(id)} is still in progress`;
      this.#send(failureMessage(id, new RpcError("invalidRequest", message)));
      return;
    }
    this.#open.start(id, (signal) => this.#answer(request, signal));
  }

  async #answer(request: JsonRpcRequest, signal: AbortSignal): Promise<void> {
    const send = (message: JsonRpcMessage) => {
      // A cancelled request gets no more messages.
      if (!signal.aborted) this.#send(message);
    };
    const { message } = await answerRequest(this.#service, request, { signal, notify: send });
    send(message);
  }

  #send(message: JsonRpcMessage): void {
    this.#write(`${JSON.stringify(message)}\n`);
  }
}

function readMessage(line: Line): NonNullable<ReturnType<typeof messageOf>> | RpcError {
  try {
    return (
      messageOf(parseJson(decodeLine(line))) ??
      new RpcError("invalidRequest", "the line is not a JSON-RPC message")
    );
  } catch (error) {
    return new RpcError("parse", `the line is not JSON: ${wordsOf(error)}`);
  }
}
