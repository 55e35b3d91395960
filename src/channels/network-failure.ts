import { isObject } from "../core/json/value.js";

/** Failures before a request was sent: it is safe to retry. */
const NEVER_LEFT = new Set([
  "ECONNREFUSED",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ENOTFOUND",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Clients wrap the error of `fetch` in `cause` or (grammY) in `error`; its own `cause` is the socket's failure. */
function chain(error: unknown): Record<string, unknown>[] {
  const links: Record<string, unknown>[] = [];
  let link = error;
  while (isObject(link) && links.length < 5) {
    links.push(link);
    link = link["error"] ?? link["cause"];
  }
  return links;
}

/** True if the request certainly did not reach the server. */
export function neverLeft(error: unknown): boolean {
  return chain(error).some(({ code }) => typeof code === "string" && NEVER_LEFT.has(code));
}

/** The innermost message, such as `connect ECONNREFUSED 127.0.0.1:9`. */
export function reasonOf(error: unknown): string {
  const messages = chain(error).flatMap(({ message, code }) => {
    if (typeof message === "string" && message !== "") return message;
    return typeof code === "string" ? code : [];
  });
  return messages.at(-1) ?? String(error);
}
