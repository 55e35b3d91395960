import type { Gateway, HttpReply, HttpRequest, Protocol, Refusal } from "../types.js";
import type { chatHandlers } from "./chats.js";

export interface AiSdkOptions {
  /** For tests. */
  silenceMs?: number;
}

type Handlers = ReturnType<typeof chatHandlers>;

/** The UI message stream of AI SDK 5, 6 and 7: chats of `useChat` under `/ai-sdk/AGENT/chat`. */
export function aiSdkProtocol(gateway: Gateway, options: AiSdkOptions = {}): Protocol {
  let loading: Promise<Handlers> | undefined;
  // Loaded by the first request: a gateway that serves no pages starts without the dialect.
  const load = () => {
    loading ??= import("./chats.js").then(({ chatHandlers }) => chatHandlers(gateway, options));
    return loading;
  };
  const handled = (name: keyof Handlers) => async (request: HttpRequest) => (await load())[name](request);

  const path = "/ai-sdk/:agent/chat";
  return {
    http: {
      under: ["/ai-sdk"],
      refuse,
      routes: [
        { method: "POST", path, scope: "chat", handle: handled("chat") },
        { method: "GET", path: `${path}/:id`, scope: "read", handle: handled("history") },
        { method: "GET", path: `${path}/:id/stream`, scope: "read", handle: handled("resume") },
        { method: "POST", path: `${path}/:id/stop`, scope: "chat", handle: handled("stop") },
      ],
    },
  };
}

/** The SDK shows the text of a refusal to the user. */
function refuse({ status, message }: Refusal): HttpReply {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body: message };
}
