import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { WebhookReply, WebhookRequest } from "../types.js";

const HEADER = "x-telegram-bot-api-secret-token";

/** The secret Telegram sends with every call. Derived from the token, so it survives restarts without being stored. */
export function webhookSecret(token: string): string {
  return createHmac("sha256", token).update("dragoman telegram webhook").digest("base64url");
}

/** Answers Telegram's call; on any error it calls again. `accept` is false before the bot is known and after closing. */
export async function answerWebhook(
  request: WebhookRequest,
  secret: string,
  accept: (update: unknown) => Promise<boolean>,
): Promise<WebhookReply> {
  if (request.method !== "POST") return { status: 405 };
  if (!isSame(request.headers[HEADER] ?? "", secret)) return { status: 401 };
  let update: unknown;
  try {
    update = JSON.parse(new TextDecoder().decode(request.body));
  } catch {
    return { status: 400 };
  }
  return { status: (await accept(update)) ? 200 : 503 };
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
