import type { JsonObject } from "../../../core/json/value.js";
import { badRequest } from "../../refusals.js";
import type { Gateway, HttpReply, HttpRequest, HttpRoute } from "../../types.js";
import { agentResponse } from "./agent-responses.js";
import { responseId } from "./ids.js";
import { itemPage } from "./item-page.js";
import { listedItems } from "./items.js";
import { noResponse } from "./refusals.js";
import type { ResponseStore, StoredResponse } from "./response-store.js";

/** `/v1/responses/{id}` and what is below it. */
export class ResponseRoutes {
  readonly #gateway: Pick<Gateway, "runtime">;
  readonly #store: ResponseStore;

  constructor(gateway: Pick<Gateway, "runtime">, store: ResponseStore) {
    this.#gateway = gateway;
    this.#store = store;
  }

  get routes(): readonly HttpRoute[] {
    return [
      {
        method: "GET",
        path: "/v1/responses/:id",
        scope: "read",
        handle: (request) => this.#retrieve(request),
      },
      {
        method: "DELETE",
        path: "/v1/responses/:id",
        scope: "chat",
        handle: (request) => this.#delete(request),
      },
      {
        method: "GET",
        path: "/v1/responses/:id/input_items",
        scope: "read",
        handle: (request) => this.#inputItems(request),
      },
    ];
  }

  /** For a response that is complete: a model's cannot be cancelled, and an agent's is returned unchanged. */
  async cancel(request: HttpRequest): Promise<HttpReply> {
    const found = await this.#find(request);
    if (!found.isAgents) throw badRequest("Cannot cancel a synchronous response.");
    return { status: 200, json: await this.#whole(found) };
  }

  async #retrieve(request: HttpRequest): Promise<HttpReply> {
    const found = await this.#find(request);
    if (request.url.searchParams.get("stream") === "true") {
      throw badRequest("This response cannot be streamed because it was not created with background=true.");
    }
    return { status: 200, json: await this.#whole(found) };
  }

  async #delete(request: HttpRequest): Promise<HttpReply> {
    const { session, record } = await this.#find(request);
    const deleted = this.#store.note({ type: "dragoman/deleted", data: { ids: [record.answer] } });
    await this.#store.append(session.id, [deleted]);
    return { status: 200, json: { id: request.params["id"], object: "response", deleted: true } };
  }

  async #inputItems(request: HttpRequest): Promise<HttpReply> {
    const { session, record, isAgents } = await this.#find(request);
    const api = await this.#store.api();
    const prompt = session.message(record.answer);
    const messages = isAgents
      ? [prompt].filter((message) => message !== undefined)
      : session.historyOf(record.answer).slice(0, -1);
    const items = messages.flatMap((message) => listedItems(api, session.id, message));
    return { status: 200, json: itemPage(items, request.url.searchParams) };
  }

  async #whole(found: StoredResponse): Promise<JsonObject> {
    const api = await this.#store.api();
    if (found.isAgents) return agentResponse(this.#gateway.runtime, api, found);
    const { session, record } = found;
    const answer = session.message(record.answer);
    const output = answer === undefined ? [] : listedItems(api, session.id, answer);
    const id = responseId({ session: session.id, message: record.answer });
    return { ...record.response, id, output };
  }

  async #find({ params, caller }: HttpRequest): Promise<StoredResponse> {
    const { id = "" } = params;
    const found = await this.#store.response(id, caller);
    if (found === undefined) throw noResponse(id);
    return found;
  }
}
