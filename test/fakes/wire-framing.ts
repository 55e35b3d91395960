import type { Api, StreamPayload } from "../../src/core/api/provider.js";
import { isObject } from "../../src/core/json/value.js";
import { formatEvent } from "../../src/framing/event-stream-payload.js";
import { formatSse } from "../../src/framing/sse-format.js";

interface WireFraming {
  type: string;
  frame(payload: StreamPayload): Buffer;
}

const textOf = ({ data }: StreamPayload) => (typeof data === "string" ? data : JSON.stringify(data));

const framings: Record<Api["framing"], WireFraming> = {
  sse: {
    type: "text/event-stream",
    frame: (payload) => {
      const { event } = payload;
      const data = textOf(payload);
      return Buffer.from(formatSse({ data, ...(event === undefined ? {} : { event }) }));
    },
  },
  ndjson: { type: "application/x-ndjson", frame: (payload) => Buffer.from(`${textOf(payload)}\n`) },
  "event-stream": {
    type: "application/vnd.amazon.eventstream",
    frame: ({ event = "", data }) => Buffer.from(formatEvent(event, isObject(data) ? data[event] : data)),
  },
};

/** How a provider sends the payloads of a stream, and which type it gives the body. */
export function wireFraming(framing: Api["framing"]): WireFraming {
  return framings[framing];
}
