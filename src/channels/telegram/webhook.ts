import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { WebhookReply, WebhookRequest } from "../types.js";

const HEADER = "x-telegram-bot-api-secret-token";

/** What Telegram has to say with every call: made from the token, so that it stays the same over restarts and need not be stored. */
export function webhookSecret(token: string): string {
  return createHmac("sha256", token).update("dragoman telegram webhook").digest("base64url");
}

/** Answers a call of Telegram. Anything but success makes it call again later. `take` is false before we know the bot, and when it is closed. */
export async function answerWebhook(
  request: WebhookRequest,
  secret: string,
  take: (update: unknown) => Promise<boolean>,
): Promise<WebhookReply> {
  if (request.method !== "POST") return { status: 405 };
  if (!isSame(request.headers[HEADER] ?? "", secret)) return { status: 401 };
  let update: unknown;
  try {
    update = JSON.parse(new TextDecoder().decode(request.body));
  } catch {
    return { status: 400 };
  }
  return { status: (await take(update)) ? 200 : 503 };
}

/** Takes the same time whatever the two have in common. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
