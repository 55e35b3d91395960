import type { Sample } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { objectIn } from "./wire.js";

const SURE = 0.95;

/** A chat, or an array of them: an object with `chat.history.messages`. */
export function detect({ document }: Sample): number {
  const chats: unknown[] = Array.isArray(document) ? document.slice(0, 20) : [document];
  return chats.some(isChat) ? SURE : 0;
}

function isChat(value: unknown): boolean {
  if (!isObject(value)) return false;
  const chat = Object.hasOwn(value, "chat") ? objectIn(value, "chat") : value;
  return isObject(objectIn(chat, "history")["messages"]);
}
