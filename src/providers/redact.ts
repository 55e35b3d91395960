import type { Sign } from "../core/api/provider.js";
import { DragomanError, wordsOf } from "../core/error.js";
import { isObject } from "../core/json/value.js";
import { redactSecrets } from "../core/secrets.js";
import type { LiveAssistantMessageEvent } from "../core/types.js";

const SECRET_HEADER = /auth|key|token|secret|cookie/i;

/** The secrets in a request's headers, with and without a prefix such as `Bearer`. */
export function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => SECRET_HEADER.test(name))
    .flatMap(([, value]) => [value, value.replace(/^\S+\s+/, "")]);
}

/** Wraps `sign` to add the secrets in the signed headers to the list. */
export function rememberSecrets(sign: Sign, secrets: string[]): Sign {
  return async (request, signal) => {
    const signed = await sign(request, signal);
    secrets.push(...secretsIn(signed.headers));
    return signed;
  };
}

/** The event of a failed answer, without secrets in the provider's message. */
export function redactEvent(
  event: LiveAssistantMessageEvent,
  secrets: readonly string[],
): LiveAssistantMessageEvent {
  if (event.type !== "error") return event;
  const { error } = event;
  if (error.errorMessage !== undefined) error.errorMessage = redactSecrets(error.errorMessage, secrets);
  const failure = error.ext?.["failure"];
  if (isObject(failure)) error.ext = { ...error.ext, failure: redactFields(failure, secrets) };
  return event;
}

/** The error without secrets. A cause that contains one is left out, because a log would print it. */
export function redactError(error: unknown, secrets: readonly string[]): unknown {
  if (!(error instanceof DragomanError)) return error;
  const { code, message, hint, details, cause } = error;
  const shown = redactSecrets(message, secrets);
  const isClean = (text: string) => redactSecrets(text, secrets) === text;
  if (shown === message && isClean(JSON.stringify(details ?? {})) && chainOf(cause).every(isClean))
    return error;
  return new DragomanError(code, shown, {
    hint,
    ...(details === undefined ? {} : { details: redactFields(details, secrets) }),
  });
}

function redactFields(fields: object, secrets: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, redactValue(value, secrets)]),
  );
}

function redactValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") return redactSecrets(value, secrets);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, secrets));
  return isObject(value) ? redactFields(value, secrets) : value;
}

/** The messages of an error and of its causes. */
function chainOf(error: unknown): string[] {
  const messages: string[] = [];
  for (let cause = error; cause !== undefined && messages.length < 10; ) {
    messages.push(wordsOf(cause));
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return messages;
}
