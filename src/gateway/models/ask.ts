import { loadApi } from "../../dialects/registry.js";
import type { Gateway, HttpReply, HttpRequest } from "../types.js";
import { agentCall } from "./agent-call.js";
import { refused } from "./failure.js";
import type { Asked, Family, NamedFamily } from "./family.js";
import { plainCall } from "./plain-call.js";
import { type Answering, reply } from "./reply.js";

/** What models are called that are our agents: `agent/main`. */
export const AGENT = "agent/";

/** Real servers say something every ten seconds or so; proxies hang up after a minute. */
const SILENCE_MS = 15_000;

export interface ModelOptions {
  silenceMs?: number;
}

/** Answers a request of a family: `agent/<id>` is one of our agents, anything else a model as `provider/model`. */
export type Ask = (family: NamedFamily, request: HttpRequest, asked: Asked) => Promise<HttpReply>;

export function asker(gateway: Gateway, { silenceMs = SILENCE_MS }: ModelOptions): Ask {
  return async (named, request, asked) => {
    const kind = asked.model.startsWith(AGENT) ? "agent" : "plain";
    gateway.metrics.count("dragoman_model_requests_total", { api: named.api, kind });
    const family = { ...named, api: await loadApi(named.api) };
    const answering = await begun(gateway, family, request, asked);
    return reply({ gateway, family, asked, silenceMs }, answering);
  };
}

async function begun(
  gateway: Gateway,
  family: Family,
  request: HttpRequest,
  asked: Asked,
): Promise<Answering> {
  try {
    return asked.model.startsWith(AGENT)
      ? await agentCall(gateway, family, request, asked, asked.model.slice(AGENT.length))
      : plainCall(gateway, family, request, asked);
  } catch (error) {
    throw refused(error);
  }
}
