import { parseJson } from "../core/json/parse.js";
import { isObject } from "../core/json/value.js";

const TIMEOUT_MS = 2_000;

export async function probeGateway(url: string): Promise<"none" | "gateway" | "other"> {
  try {
    const response = await fetch(`${url}/healthz`, {
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = parseJson((await response.text()).slice(0, 1000));
    return isObject(body) && body["status"] === "ok" ? "gateway" : "other";
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const refused = cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
    return refused ? "none" : "other";
  }
}
