import { formatStreamMessage, type StreamMessage } from "./event-stream.js";

const TYPE = ":message-type";
const EVENT = ":event-type";
const EXCEPTION = ":exception-type";
const CONTENT = ":content-type";

/**
 * A message as the JSON of an object with one member, named as the event is: that is how the AWS SDKs show events, too.
 *
 *     :event-type contentBlockStop  {"contentBlockIndex":0}   →   {"contentBlockStop":{"contentBlockIndex":0}}
 *     :exception-type throttlingException  {"message":"…"}    →   {"throttlingException":{"message":"…"}}
 *     :error-code InternalFailure  :error-message …           →   {"error":{"code":"InternalFailure","message":"…"}}
 */
export function messageText({ headers, payload }: StreamMessage): string {
  if (headers.get(TYPE) === "error") {
    const [code, message] = [headers.get(":error-code"), headers.get(":error-message")].map(String);
    return JSON.stringify({ error: { code, message } });
  }
  const name = headers.get(EVENT) ?? headers.get(EXCEPTION) ?? "unnamed";
  const text = new TextDecoder().decode(payload);
  return `{${JSON.stringify(String(name))}:${text === "" ? "{}" : text}}`;
}

/** The message that `messageText` shows as `{ [event]: value }`. */
export function formatEvent(event: string, value: unknown): Uint8Array {
  const isException = event.endsWith("Exception");
  return formatStreamMessage({
    headers: new Map([
      [isException ? EXCEPTION : EVENT, event],
      [CONTENT, "application/json"],
      [TYPE, isException ? "exception" : "event"],
    ]),
    payload: new TextEncoder().encode(JSON.stringify(value)),
  });
}
