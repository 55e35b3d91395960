import type { Api } from "../../../core/api/provider.js";
import { isObject, type JsonObject } from "../../../core/json/value.js";
import { isSynthesised } from "../../../core/message/neutral.js";
import type { AssistantMessage, LiveAssistantMessageEvent } from "../../../core/types.js";
import type { ForwardedBatch, SourcePayload } from "../../../providers/forward.js";
import type { Model } from "../../../providers/model.js";

/** Stores an answer, with the response that the client gets. */
export type StoreAnswer = (answer: AssistantMessage, response: JsonObject) => Promise<void>;

/** The answer under its stored id. It is stored before its last event is passed on. */
export async function* keepEvents(
  events: AsyncIterable<LiveAssistantMessageEvent>,
  id: string,
  responseOf: (answer: AssistantMessage) => JsonObject,
  store: StoreAnswer,
): AsyncGenerator<LiveAssistantMessageEvent> {
  for await (const event of events) {
    switch (event.type) {
      case "start":
        yield { ...event, partial: { ...event.partial, id } };
        break;
      case "done": {
        const message = { ...event.message, id };
        await store(message, responseOf(message));
        yield { ...event, message };
        break;
      }
      case "error":
        yield { ...event, error: { ...event.error, id } };
        break;
      default:
        yield event;
    }
  }
}

/** The same for a provider's own payloads: those that contain the response get the fields in `own`. */
export async function* keepBatches(
  batches: AsyncIterable<ForwardedBatch>,
  api: Api,
  model: Model,
  own: JsonObject,
  store: StoreAnswer,
): AsyncGenerator<ForwardedBatch> {
  const assembler = api.assembler();
  for await (const { last: end, ...batch } of batches) {
    const payloads = batch.payloads.map((payload) => ("value" in payload ? withOwn(payload, own) : payload));
    const last = end === undefined ? undefined : withOwn(end, own);
    for (const payload of payloads) if ("value" in payload) assembler.push(payload.value);
    const done = batch.events.at(-1);
    if (done?.type === "done") {
      assembler.push(last?.value);
      const response = assembler.response();
      await store(answerIn(response, api, model, done.message), response);
    }
    yield { ...batch, payloads, ...(last === undefined ? {} : { last }) };
  }
}

function withOwn(payload: SourcePayload, own: JsonObject): SourcePayload {
  const { value } = payload;
  if (!isObject(value) || !isObject(value["response"])) return payload;
  const shown = { ...value, response: { ...value["response"], ...own } };
  return { ...payload, value: shown, data: JSON.stringify(shown) };
}

/** Read from the whole response: of a stream that is only forwarded, not every event is read. */
function answerIn(
  response: JsonObject,
  api: Api,
  model: Model,
  streamed: AssistantMessage,
): AssistantMessage {
  const { usage, timestamp } = streamed;
  return api.readResponse(response, {
    provider: model.provider,
    model: model.id,
    timestamp,
    price: () => usage,
    priceKnown: !isSynthesised(streamed, "/usage/cost"),
  });
}
