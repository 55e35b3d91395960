import { isObject, type JsonObject } from "../core/json/value.js";

/** How long the `RetryInfo` in the details of an error asks to wait. Details are those of gRPC, as Google sends them. */
export function retryDelayMs(details: unknown): number | undefined {
  const [{ retryDelay } = {}] = entriesOf(details, "RetryInfo");
  const [, seconds] = /^(\d+(?:\.\d+)?)s$/.exec(String(retryDelay)) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/** Whether a quota that was exceeded is one per day. */
export function isDailyLimit(details: unknown): boolean {
  return entriesOf(details, "QuotaFailure").some((failure) => /PerDay/.test(JSON.stringify(failure)));
}

/** The entries of one type; `@type` ends in `.rpc.RetryInfo`, for example. */
function entriesOf(details: unknown, type: string): JsonObject[] {
  const entries = Array.isArray(details) ? details.filter(isObject) : [];
  return entries.filter((entry) => String(entry["@type"]).endsWith(`.rpc.${type}`));
}
