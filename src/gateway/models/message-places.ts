import type { Api, Call } from "../../core/api/provider.js";
import { DragomanError } from "../../core/error.js";
import type { JsonObject } from "../../core/json/value.js";
import type { Loss } from "../../core/types.js";

/** A request to a model with another API. */
interface TranslatedRequest {
  body: JsonObject;
  /** The field with its messages. */
  list: string;
  /** Reads the request, or one with fewer messages. */
  read(body: JsonObject): Call;
  /** How many messages the model is sent, also those that the request refers to. */
  sent: number;
}

/** Reads requests for a model with another API: tools that the client runs are functions. */
export function requestReader(api: Api, model: string): (body: JsonObject) => Call {
  return (body) => api.readRequest(api.forwardable(api.clientTools?.asFunctions(body) ?? body, model, {}));
}

/**
 * Losses with pointers to the client's messages: `/messages/1` becomes `/input/2`. An entry of a request can be part of a
 * message, or several, so the pointer is to the whole entry. What was stored before the request is where the request refers
 * to it.
 */
export function placeMessages(
  { body, list, read, sent }: TranslatedRequest,
  losses: readonly Loss[],
): Loss[] {
  const entries = body[list];
  const isList = Array.isArray(entries);
  const length = isList ? entries.length : typeof entries === "string" ? 1 : 0;
  const counts = new Map<number, number>();

  /** How many messages the first entries are. */
  function messagesIn(count: number): number {
    if (!isList) return count;
    const known = counts.get(count) ?? countMessages({ ...body, [list]: entries.slice(0, count) });
    counts.set(count, known);
    return known;
  }

  function countMessages(request: JsonObject): number {
    try {
      return read(request).context.messages.length;
    } catch (error) {
      // Its first entries alone may not be a request.
      if (error instanceof DragomanError) return 0;
      throw error;
    }
  }

  /** The first entry with which there are more messages than this. */
  function entryOf(message: number): number {
    let [low, high] = [0, length - 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (messagesIn(middle + 1) > message) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  return losses.map((loss) => {
    const [, index] = /^\/messages\/(\d+)/.exec(loss.at) ?? [];
    if (index === undefined || length === 0) return loss;
    const own = Number(index) - (sent - messagesIn(length));
    if (own < 0)
      return { ...loss, at: isNothing(body["conversation"]) ? "/previous_response_id" : "/conversation" };
    return { ...loss, at: isList ? `/${list}/${entryOf(own)}` : `/${list}` };
  });
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}
