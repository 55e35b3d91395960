import { JSON_RPC_CODES } from "../../core/json/json-rpc-codes.js";
import { MAIN } from "../../runtime/agents.js";
import { mayUse } from "../auth/permit.js";
import { notFound } from "../refusals.js";
import type { Gateway, HttpReply, HttpRequest, Protocol, Refusal } from "../types.js";
import type { A2aTasks } from "./tasks.js";

export interface A2aOptions {
  /** For tests. */
  silenceMs?: number;
}

const CARD = ".well-known/agent-card.json";

/** A2A 1.0 and 0.3 over JSON-RPC: each agent at `/a2a/AGENT`, and its card beside it. */
export function a2aProtocol(gateway: Gateway, { silenceMs }: A2aOptions = {}): Protocol {
  // Loaded by the first request: most gateways have no such clients.
  let loading: Promise<A2aTasks> | undefined;
  const load = () => {
    loading ??= import("./tasks.js").then(({ A2aTasks }) => new A2aTasks(gateway, silenceMs));
    return loading;
  };

  async function call(http: HttpRequest): Promise<HttpReply> {
    requireAgent(gateway, http, http.params["agent"] ?? "");
    const body = await http.json();
    const { idIn, readRequest } = await import("./request.js");
    const { A2aError } = await import("./errors.js");
    try {
      const rpc = readRequest(body, versionOf(http));
      return await (await load()).answer({ http, rpc });
    } catch (error) {
      if (!(error instanceof A2aError)) throw error;
      const { code, message } = error;
      return { status: 200, json: { jsonrpc: "2.0", id: idIn(body), error: { code, message } } };
    }
  }

  async function card(http: HttpRequest): Promise<HttpReply> {
    const { agent = MAIN } = http.params;
    requireAgent(gateway, http, agent);
    const { agentCard } = await import("./agent-card.js");
    const isLegacy = versionOf(http)?.startsWith("1.") !== true;
    return { status: 200, json: agentCard(gateway.runtime, agent, http.url.origin, isLegacy) };
  }

  return {
    http: {
      under: ["/a2a"],
      refuse,
      routes: [
        { method: "GET", path: `/${CARD}`, scope: "read", handle: card },
        { method: "GET", path: `/a2a/:agent/${CARD}`, scope: "read", handle: card },
        { method: "POST", path: "/a2a/:agent", scope: "read", handle: call },
      ],
    },
  };
}

function versionOf({ headers }: HttpRequest): string | undefined {
  const version = headers["a2a-version"];
  return typeof version === "string" ? version.trim() : undefined;
}

function requireAgent({ runtime }: Gateway, { caller }: HttpRequest, agent: string): void {
  if (runtime.agents.ids.includes(agent) && mayUse(caller, agent)) return;
  throw notFound(`there is no agent ${JSON.stringify(agent)}`);
}

/** A refusal is an error of JSON-RPC, too, so that clients report its text. */
function refuse({ status, reason, message, headers = {} }: Refusal): HttpReply {
  const error = { code: JSON_RPC_CODES.invalidRequest, message, data: { reason } };
  return { status, headers, json: { jsonrpc: "2.0", id: null, error } };
}
