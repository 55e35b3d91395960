import { createConnection, type Socket } from "node:net";
import { WebSocket } from "ws";
import type { ProtocolFactory } from "../../src/gateway/server.js";
import type { TestGateway } from "./gateway.js";

/** Something worth guarding: a setting, a conversation and a socket, each for another scope. */
export const guarded: ProtocolFactory = ({ runtime }) => {
  let setting = "as it was";
  return {
    http: {
      keyHeaders: ["x-api-key"],
      refuse: ({ status, reason, message, details }) => ({
        status,
        json: { error: reason, message, details },
      }),
      routes: [
        {
          method: "GET",
          path: "/setting",
          scope: "read",
          handle: async () => ({ status: 200, json: { setting } }),
        },
        {
          method: "PUT",
          path: "/setting",
          scope: "admin",
          handle: async ({ json }) => {
            setting = JSON.stringify(await json());
            return { status: 200, json: { setting } };
          },
        },
        {
          method: "POST",
          path: "/say",
          scope: "chat",
          handle: async ({ json }) => {
            const conversation = await runtime.begin({ key: "agent:main:main" });
            const content = String(await json());
            await conversation.send({ role: "user", content, timestamp: 1 });
            await conversation.idle();
            return { status: 200, json: await conversation.messages() };
          },
        },
        {
          method: "GET",
          path: "/endless",
          scope: "read",
          handle: async () => ({ status: 200, stream: endless() }),
        },
      ],
    },
    sockets: [
      {
        path: "/admin-socket",
        scope: "admin",
        open: (socket) => socket.onMessage((text) => socket.send(text)),
      },
      {
        path: "/flood",
        scope: "read",
        open: (socket) => {
          const piece = new Uint8Array(64 * 1024).fill(97);
          const timer = setInterval(() => socket.send(piece), 0);
          socket.onClose(() => clearInterval(timer));
        },
      },
    ],
  };
};

async function* endless() {
  for (;;) yield "x".repeat(64 * 1024);
}

export interface RawReply {
  status: number;
  head: string;
  body: string;
}

/** A connection of which the test says every byte. */
export function connectTo({ host }: TestGateway): Socket {
  const [address, port] = host.split(":");
  return createConnection(Number(port), address).setEncoding("latin1");
}

/** Everything the server says until it closes the connection. */
export function untilClosed(socket: Socket): Promise<RawReply> {
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    // A connection that is cut while we still send is one way of being closed.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      const [head = "", ...body] = text.split("\r\n\r\n");
      resolve({ status: Number(head.split(" ")[1]), head, body: body.join("\r\n\r\n") });
    });
  });
}

/** Sends these lines and reads the answer, without the manners of an HTTP client. */
export function raw(gateway: TestGateway, lines: readonly string[], body = ""): Promise<RawReply> {
  const socket = connectTo(gateway);
  const reply = untilClosed(socket);
  socket.write(`${[...lines, "connection: close", "", ""].join("\r\n")}${body}`);
  return reply;
}

export interface Dialled {
  socket: WebSocket;
  /** `open`, or the status it was refused with. */
  outcome: "open" | number;
}

/** Opens a WebSocket, or tells why not. */
export function dial(
  gateway: TestGateway,
  path: string,
  { protocols = [], headers = {} }: { protocols?: string[]; headers?: Record<string, string> } = {},
): Promise<Dialled> {
  const socket = new WebSocket(`ws://${gateway.host}${path}`, protocols, { headers });
  return new Promise((resolve) => {
    socket.on("open", () => resolve({ socket, outcome: "open" }));
    socket.on("unexpected-response", (_, response) => {
      response.resume();
      resolve({ socket, outcome: response.statusCode ?? 0 });
    });
    socket.on("error", () => undefined);
  });
}
