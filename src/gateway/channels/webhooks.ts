import type { IncomingHttpHeaders } from "node:http";
import type { WebhookReply, WebhookRequest } from "../../channels/types.js";
import { wordsOf } from "../../core/error.js";
import { notFound, refuse } from "../refusals.js";
import type { Gateway, Protocol } from "../types.js";
import { accountName } from "./people-store.js";

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
          const reply =
            (await forwarded(gateway, channel, account, request)) ??
            (await channels.webhook(channel, account, request));
          if (reply === undefined) throw notFound();
          return reply;
        },
      },
    ],
  };
}

/** The reply of the gateway that is connected as the account; undefined if this one is, or none that can be reached. */
async function forwarded(
  { channels, links, logger }: Gateway,
  channel: string,
  account: string,
  { headers, body }: WebhookRequest,
): Promise<WebhookReply | undefined> {
  const reception = channels?.reception(channel, account);
  if (links === undefined || reception === undefined || channels?.isOpen(channel, account)) return undefined;
  const owner = await links.holderOf(accountName(reception.channel, account));
  try {
    return await owner?.call("link.webhook", {
      channel,
      account,
      headers: Object.fromEntries(Object.entries(headers).flatMap(([name, value = ""]) => [[name, value]])),
      body: Buffer.from(body).toString("base64"),
    });
  } catch (error) {
    // The platform sends it again: nothing was acknowledged.
    logger.warn({ channel, account, why: wordsOf(error) }, "could not forward a webhook to its gateway");
    throw refuse("service_unavailable", "the gateway of this account cannot be reached", {
      headers: { "retry-after": "1" },
    });
  }
}

function plain(headers: IncomingHttpHeaders): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );
}
