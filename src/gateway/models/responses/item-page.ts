import type { JsonObject } from "../../../core/json/value.js";
import { badRequest } from "../../refusals.js";

const USUAL = 20;
const MOST = 100;

/** A page of items: the newest first, unless `order=asc`; `after` is the id of the last item of the page before. */
export function itemPage(items: readonly JsonObject[], query: URLSearchParams): JsonObject {
  const order = query.get("order") ?? "desc";
  if (order !== "asc" && order !== "desc") throw badRequest('"order" is asc or desc');
  const limit = Number(query.get("limit") ?? USUAL);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST) {
    throw badRequest(`"limit" is a number from 1 to ${MOST}`);
  }
  const sorted = order === "asc" ? items : items.toReversed();
  const after = query.get("after");
  const start = after === null ? 0 : sorted.findIndex(({ id }) => id === after) + 1;
  if (after !== null && start === 0) throw badRequest(`"after" names no item: ${after}`);
  return itemList(sorted.slice(start, start + limit), start + limit < sorted.length);
}

export function itemList(items: readonly JsonObject[], hasMore = false): JsonObject {
  return {
    object: "list",
    data: items,
    first_id: items[0]?.["id"] ?? null,
    last_id: items.at(-1)?.["id"] ?? null,
    has_more: hasMore,
  };
}
