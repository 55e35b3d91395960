import type { SessionSummary } from "../../log/catalogue/types.js";
import { agentFilter } from "../auth/permit.js";
import { notFound } from "../refusals.js";
import { conversationNamed, newKey } from "../session-name.js";
import type { Gateway, Permit } from "../types.js";
import { existing, keyIn, keyNamed } from "./keys.js";
import type { Call, Methods } from "./methods.js";
import type { Params } from "./params.js";
import { modelDefaults, sessionRow } from "./session-row.js";

const PAGE = 100;
const LARGEST_PAGE = 1000;
const LAST_OFFSET = 100_000;

export const sessionMethods: Methods = {
  "sessions.list": { scope: "operator.read", handle: listSessions },

  "sessions.subscribe": {
    scope: "operator.read",
    async handle(params, call) {
      call.connection.subscribeToSessions();
      return params.isEmpty
        ? { subscribed: true }
        : { subscribed: true, list: await listSessions(params, call) };
    },
  },

  "sessions.unsubscribe": {
    scope: "operator.read",
    async handle(_, { connection }) {
      connection.unsubscribeFromSessions();
      return { subscribed: false };
    },
  },

  "sessions.messages.subscribe": {
    scope: "operator.read",
    async handle(params, { gateway, connection, permit }) {
      const key = keyIn(params, "key");
      const id = await existing(gateway.runtime, key);
      if (id === undefined) connection.awaitSession(usableKey(gateway.runtime, key, permit));
      else await connection.follow(await conversationNamed(gateway.runtime, key, permit), true);
      return { subscribed: true, key };
    },
  },

  "sessions.messages.unsubscribe": {
    scope: "operator.read",
    async handle(params, { gateway, connection, permit }) {
      const key = keyIn(params, "key");
      connection.stopAwaiting(key);
      if ((await existing(gateway.runtime, key)) !== undefined) {
        connection.unfollow(await conversationNamed(gateway.runtime, key, permit));
      }
      return { subscribed: false, key };
    },
  },

  "sessions.describe": {
    scope: "operator.read",
    async handle(params, { hub, gateway, permit }) {
      const key = keyIn(params, "key");
      if ((await existing(gateway.runtime, key)) === undefined) return { session: null };
      const { session } = await conversationNamed(gateway.runtime, key, permit);
      const found = await gateway.runtime.catalogue.get(session.id);
      return {
        session: found === undefined ? null : sessionRow(found, hub.activityOf(found.id), gateway.now()),
      };
    },
  },
};

/** A session that does not exist yet is only that of an agent which the client may use. */
function usableKey(runtime: Gateway["runtime"], key: string, permit: Permit): string {
  const usable = newKey(runtime, key, permit);
  if (usable === undefined) throw notFound(`there is no session ${JSON.stringify(key)}`);
  return usable;
}

async function listSessions(params: Params, { hub, gateway, permit }: Call): Promise<object> {
  params.refuse(["search", "label", "creatorId", "ownerId", "involvingMe", "involvingProfileId"]);
  const limit = params.count("limit", PAGE, LARGEST_PAGE);
  const offset = params.count("offset", 0, LAST_OFFSET);
  const agent = params.optionalText("agentId");
  const archived = params.get("archived");
  const { runtime } = gateway;
  await runtime.catalogue.update();
  const all = await runtime.catalogue.list({
    ...agentFilter(permit),
    ...(agent === undefined ? {} : { agent }),
    ...(archived === "all" ? {} : { archived: archived === true }),
  });
  const since = params.has("activeMinutes")
    ? gateway.now() - params.count("activeMinutes", 0, Number.MAX_SAFE_INTEGER) * 60_000
    : 0;
  const spawner = params.optionalText("spawnedBy");
  const parent = spawner === undefined ? undefined : await existing(runtime, keyNamed(spawner));
  const isListed = (found: SessionSummary) =>
    (spawner === undefined || (parent !== undefined && found.parent?.session === parent)) &&
    (found.active ?? found.created ?? 0) >= since &&
    (!params.flag("activeOnly") || hub.activityOf(found.id).isRunning);
  const matching = all.filter(isListed);
  const page = matching.slice(offset, offset + limit);
  const end = offset + page.length;
  const hasMore = end < matching.length;
  return {
    ts: gateway.now(),
    path: "(dragoman)",
    count: page.length,
    totalCount: matching.length,
    limitApplied: limit,
    offset,
    nextOffset: hasMore ? end : null,
    hasMore,
    owners: [],
    defaults: modelDefaults(
      runtime,
      agent !== undefined && runtime.agents.ids.includes(agent) ? agent : "main",
    ),
    sessions: page.map((found) => sessionRow(found, hub.activityOf(found.id), gateway.now())),
  };
}
