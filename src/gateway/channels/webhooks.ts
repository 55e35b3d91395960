import type { IncomingHttpHeaders } from "node:http";
import { notFound, refuse } from "../refusals.js";
import type { Gateway, Protocol } from "../types.js";

/** Platforms call `POST /channels/telegram/default`. They have no gateway token; their requests are signed. */
export function channelWebhooks(gateway: Gateway): Protocol {
  return {
    hooks: [
      {
        path: "/channels/:channel/:account",
        async answer({ params: { channel = "", account = "" }, headers, body }) {
          const { channels, runtime } = gateway;
          if (channels === undefined && runtime.config.channels !== undefined) {
            throw refuse("service_unavailable", "the channels are not connected yet", {
              headers: { "retry-after": "1" },
            });
          }
          // Checked before the body is read, so that requests for unknown accounts cannot fill the memory.
          if (channels?.has(channel, account) !== true) throw notFound();
          const request = { method: "POST", headers: plain(headers), body: await body() };
          const reply = await channels.webhook(channel, account, request);
          if (reply === undefined) throw notFound();
          return reply;
        },
      },
    ],
  };
}

function plain(headers: IncomingHttpHeaders): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );
}
