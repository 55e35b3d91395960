import type { JsonObject } from "../../../core/json/value.js";
import type { AgentMessage } from "../../../core/types.js";
import type { Gateway, HttpReply, HttpRequest, HttpRoute, Protocol } from "../../types.js";
import { asRefusal, unservable } from "../failure.js";
import { refuseAsOpenAi } from "../openai-errors.js";
import { readObject } from "../read-call.js";
import { conversationItems } from "./conversation-items.js";
import { conversationId } from "./ids.js";
import { itemList, itemPage } from "./item-page.js";
import { asLines, listedItems, messagesOf } from "./items.js";
import { metadataOf } from "./metadata.js";
import { noConversation, noItem } from "./refusals.js";
import type { ResponseStore } from "./response-store.js";
import type { StoredSession } from "./stored-session.js";

const MOST_ITEMS = 20;
const BASE = "/v1/conversations";

/** OpenAI's conversations: each is a session. */
export function conversationsProtocol({ now }: Pick<Gateway, "now">, store: ResponseStore): Protocol {
  async function create(request: HttpRequest): Promise<HttpReply> {
    const { items, metadata: given } = await bodyOf(request);
    const metadata = metadataOf(given, "/metadata");
    const lines = await linesOf(items ?? [], undefined);
    const { token } = request.caller;
    const id = await store.create({}, [
      store.note({ type: "dragoman/conversation", data: { token, metadata } }),
      ...lines,
    ]);
    return answer(await sessionNamed(conversationId(id), request));
  }

  async function update(request: HttpRequest): Promise<HttpReply> {
    const session = await sessionIn(request);
    const metadata = metadataOf((await bodyOf(request))["metadata"], "/metadata");
    const token = session.conversation?.token ?? request.caller.token;
    await store.append(session.id, [
      store.note({ type: "dragoman/conversation", data: { token, metadata } }),
    ]);
    return answer(await sessionIn(request));
  }

  async function remove(request: HttpRequest): Promise<HttpReply> {
    const { id } = await sessionIn(request);
    await store.append(id, [store.note({ type: "dragoman/deleted", data: { ids: [id] } })]);
    return {
      status: 200,
      json: { id: conversationId(id), object: "conversation.deleted", deleted: true },
    };
  }

  async function createItems(request: HttpRequest): Promise<HttpReply> {
    const session = await sessionIn(request);
    const lines = await linesOf((await bodyOf(request))["items"], session.messages.at(-1)?.id);
    if (lines.length > 0) await store.append(session.id, lines);
    const api = await store.api();
    const items = lines.flatMap((line) => listedItems(api, session.id, line));
    return { status: 200, json: itemList(items) };
  }

  async function listItems(request: HttpRequest): Promise<HttpReply> {
    const items = conversationItems(await store.api(), await sessionIn(request));
    return { status: 200, json: itemPage(items, request.url.searchParams) };
  }

  async function retrieveItem(request: HttpRequest): Promise<HttpReply> {
    return { status: 200, json: await itemIn(await sessionIn(request), request) };
  }

  async function deleteItem(request: HttpRequest): Promise<HttpReply> {
    const session = await sessionIn(request);
    const { id } = await itemIn(session, request);
    await store.append(session.id, [store.note({ type: "dragoman/deleted", data: { ids: [String(id)] } })]);
    return answer(session);
  }

  function sessionIn(request: HttpRequest): Promise<StoredSession> {
    return sessionNamed(request.params["id"] ?? "", request);
  }

  async function sessionNamed(id: string, { caller }: HttpRequest): Promise<StoredSession> {
    const session = await store.conversation(id, caller);
    if (session === undefined) throw noConversation(id);
    return session;
  }

  async function itemIn(session: StoredSession, { params }: HttpRequest): Promise<JsonObject> {
    const { id = "", item: name = "" } = params;
    const item = conversationItems(await store.api(), session).find((one) => one["id"] === name);
    if (item === undefined) throw noItem(name, id);
    return item;
  }

  async function linesOf(items: unknown, parent: string | undefined): Promise<AgentMessage[]> {
    if (!Array.isArray(items)) throw unservable("/items", "expected a list of items");
    if (items.length > MOST_ITEMS) throw unservable("/items", `send at most ${MOST_ITEMS} items at a time`);
    try {
      return asLines(messagesOf(await store.api(), items, "/items"), parent, now());
    } catch (error) {
      throw asRefusal(error);
    }
  }

  const routes: readonly HttpRoute[] = [
    { method: "POST", path: BASE, scope: "chat", handle: create },
    {
      method: "GET",
      path: `${BASE}/:id`,
      scope: "read",
      handle: async (request) => answer(await sessionIn(request)),
    },
    { method: "POST", path: `${BASE}/:id`, scope: "chat", handle: update },
    { method: "DELETE", path: `${BASE}/:id`, scope: "chat", handle: remove },
    { method: "POST", path: `${BASE}/:id/items`, scope: "chat", handle: createItems },
    { method: "GET", path: `${BASE}/:id/items`, scope: "read", handle: listItems },
    { method: "GET", path: `${BASE}/:id/items/:item`, scope: "read", handle: retrieveItem },
    { method: "DELETE", path: `${BASE}/:id/items/:item`, scope: "chat", handle: deleteItem },
  ];
  return { http: { under: [BASE], refuse: refuseAsOpenAi, routes } };
}

/** A conversation can be created without a body. */
async function bodyOf(request: HttpRequest): Promise<JsonObject> {
  return request.headers["content-length"] === "0" ? {} : readObject(request);
}

function answer({ id, header, conversation }: StoredSession): HttpReply {
  return {
    status: 200,
    json: {
      id: conversationId(id),
      object: "conversation",
      created_at: Math.floor(header.timestamp / 1000),
      metadata: conversation?.metadata ?? {},
    },
  };
}
