import { DragomanError } from "../core/error.js";
import { parseJson } from "../core/json/parse.js";

const PATIENCE_MS = 15_000;

export interface Question {
  /** What people call the platform. */
  title: string;
  url: string;
  headers?: Record<string, string>;
  /** It may be in the address, and must not be in any error. */
  secret: string;
  fetch: typeof fetch;
}

/** Asks a platform something with a secret. `channel/refused` when it does not take it, `channel/unreachable` when nobody answers. */
export async function askPlatform({ title, url, headers = {}, secret, fetch }: Question): Promise<unknown> {
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
    throw new DragomanError("channel/unreachable", `${title} does not answer: ${reasonOf(error, secret)}`, {
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
  return jsonOf(text, title);
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

function reasonOf(error: unknown, secret: string): string {
  const { cause, message } = error instanceof Error ? error : { cause: undefined, message: String(error) };
  const reason = cause instanceof Error && cause.message !== "" ? cause.message : message;
  return [secret, encodeURIComponent(secret)].reduce(
    (text, word) => text.replaceAll(word, "[secret]"),
    reason,
  );
}
