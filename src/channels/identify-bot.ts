import { DragomanError } from "../core/error.js";
import { parseJson } from "../core/json/parse.js";
import { reasonOf } from "./network-failure.js";
import { scrubber } from "./scrub.js";
import type { Person } from "./types.js";

const PATIENCE_MS = 15_000;

export interface IdentityRequest {
  /** What people call the platform. */
  title: string;
  url: string;
  headers?: Record<string, string>;
  /** It may be in the address, and must not be in any error. */
  secret: string;
  fetch: typeof fetch;
  /** Who the answer says that we are. */
  personIn(answer: unknown): Person | undefined;
}

/** Asks a platform who a secret makes us. `channel/refused` when it does not take it, `channel/unreachable` when nobody answers. */
export async function identifyBot(question: IdentityRequest): Promise<Person> {
  const { title, url, headers = {}, secret, fetch, personIn } = question;
  let status: number;
  let text: string;
  try {
    const response = await fetch(url, {
      headers,
      redirect: "error",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    status = response.status;
    text = await response.text();
  } catch (error) {
    // The error itself is not handed on: it may hold the address, and that the secret.
    const why = scrubber(secret, "[secret]")(reasonOf(error));
    throw new DragomanError("channel/unreachable", `${title} does not answer: ${why}`, {
      hint: "check the connection and try again",
    });
  }
  if (status === 401 || status === 403 || status === 404) {
    throw new DragomanError("channel/refused", `${title} does not accept this token`, {
      hint: "copy it again, or make another one",
      details: { status },
    });
  }
  if (status !== 200)
    throw new DragomanError("channel/unreachable", `${title} answers ${status}; try again later`);
  const person = personIn(jsonOf(text, title));
  if (person !== undefined) return person;
  throw new DragomanError(
    "channel/unreachable",
    `what answers is not ${title}: it does not say who the bot is`,
  );
}

function jsonOf(text: string, title: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new DragomanError("channel/unreachable", `what answers is not ${title}: it sends no JSON`, {
      cause: error,
    });
  }
}
