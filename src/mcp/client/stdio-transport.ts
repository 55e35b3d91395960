import { MessageProcess, type ProcessCommand } from "../../tools/message-process.js";
import type { JsonRpcMessage } from "../checks.js";
import type { Transport, TransportEvents } from "./transport.js";

/** A server as a child process: one message per line on its standard input and output. */
export class StdioTransport implements Transport {
  readonly kind = "stdio";
  readonly #process: MessageProcess;

  constructor(command: ProcessCommand, events: TransportEvents) {
    this.#process = new MessageProcess(command, events, {
      ended: "mcp/unavailable",
      unreadable: "mcp/bad-message",
    });
  }

  send(message: JsonRpcMessage): Promise<void> {
    return this.#process.write(JSON.stringify(message));
  }

  begin(): void {}

  close(): Promise<void> {
    return this.#process.close();
  }
}
