import { DragomanError } from "../core/error.js";
import { parseJson } from "../core/json/parse.js";
import { reasonOf } from "./network-failure.js";
import { scrubber } from "./scrub.js";
import type { Person } from "./types.js";

const TIMEOUT_MS = 15_000;

export interface IdentityRequest {
  /** The platform's name, for messages. */
  title: string;
  url: string;
  headers?: Record<string, string>;
  /** May be part of the URL, and must not appear in any error. */
  secret: string;
  fetch: typeof fetch;
  /** Reads the bot's identity from the reply. */
  personIn(answer: unknown): Person | undefined;
}

/**
 * Asks a platform which bot a token belongs to. Fails with `channel/refused` if the platform rejects the token, and with
 * `channel/unreachable` if there is no usable reply.
 */
export async function identifyBot(question: IdentityRequest): Promise<Person> {
  const { title, url, headers = {}, secret, fetch, personIn } = question;
  let status: number;
  let text: string;
  try {
    const response = await fetch(url, {
      headers,
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    status = response.status;
    text = await response.text();
  } catch (error) {
    // The error is not passed on as the cause: it may contain the URL, and so the secret.
    const why = scrubber(secret, "[secret]")(reasonOf(error));
    throw new DragomanError("channel/unreachable", `cannot reach ${title}: ${why}`, {
      hint: "check the connection and try again",
    });
  }
  if (status === 401 || status === 403 || status === 404) {
    throw new DragomanError("channel/refused", `${title} does not accept this token`, {
      hint: "copy the token again, or create a new one",
      details: { status },
    });
  }
  if (status !== 200)
    throw new DragomanError("channel/unreachable", `${title} replied with HTTP ${status}; try again later`);
  const person = personIn(jsonOf(text, title));
  if (person !== undefined) return person;
  throw new DragomanError("channel/unreachable", `unexpected reply from ${title}: it does not name the bot`);
}

function jsonOf(text: string, title: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new DragomanError("channel/unreachable", `unexpected reply from ${title}: not JSON`, {
      cause: error,
    });
  }
}
