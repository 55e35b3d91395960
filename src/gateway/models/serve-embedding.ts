import type { AskedEmbedding, EmbeddingEndpoint } from "../../core/api/embedding-api.js";
import type { Loss } from "../../core/types.js";
import { loadEmbeddingApi } from "../../dialects/registry.js";
import type { ClientRequest } from "../../providers/embed.js";
import type { Model } from "../../providers/model.js";
import { AGENT_PREFIX } from "../../runtime/model-names.js";
import { budgetHeaders } from "../budgets.js";
import { requireOffered } from "../offered-models.js";
import { closingDown } from "../refusals.js";
import type { Gateway, HttpReply, HttpRequest } from "../types.js";
import { observerFor } from "./call-trace.js";
import { calledModel } from "./called-model.js";
import { callerSignal } from "./caller-signal.js";
import { asRefusal, unservable } from "./failure.js";
import type { NamedFamily } from "./family.js";
import { lossHeader } from "./unsupported-fields.js";

/** A client's request for embeddings, and the endpoint of its API that it called. */
export interface EmbeddingCall extends AskedEmbedding {
  endpoint: string;
}

type EmbeddingFamily = Pick<NamedFamily, "api" | "provider">;

/** Answers a request for embeddings in the client's API. */
export type ServeEmbedding = (
  family: EmbeddingFamily,
  request: HttpRequest,
  asked: EmbeddingCall,
) => Promise<HttpReply>;

export function makeServeEmbedding(gateway: Gateway): ServeEmbedding {
  return async (family, request, asked) => {
    const { runtime, metrics, closing } = gateway;
    const name = calledModel(runtime, family, asked.model);
    metrics.count("dragoman_model_requests_total", { api: family.api, kind: "embedding" });
    const { signal, release } = callerSignal(request, gateway);
    try {
      if (name.startsWith(AGENT_PREFIX)) throw unservable("/model", "an agent has no embeddings");
      const { token, budget = null } = request.caller;
      const model = runtime.connect(name, {
        meter: runtime.usage.meter(() => ({ token, budget })),
        ...observerFor(runtime, request),
      });
      requireOffered(runtime, request.caller, name);
      const own = await loadEmbeddingApi(family.api);
      const { [asked.endpoint]: endpoint } = own?.endpoints ?? {};
      if (endpoint === undefined) throw new Error(`${family.api} has no endpoint ${asked.endpoint}`);
      endpoint.checkModel?.(asked);
      const isSame = model.api !== undefined && (await loadEmbeddingApi(model.api)) === own;
      const { headers } = request;
      const replied = await (isSame
        ? forwardEmbedding(endpoint, model, asked, { headers, signal })
        : translateEmbedding(endpoint, model, asked, signal));
      const budgetLeft = await budgetHeaders(gateway, request.caller);
      return { ...replied, headers: { ...replied.headers, ...budgetLeft } };
    } catch (error) {
      throw closing.aborted ? closingDown() : asRefusal(error, await budgetHeaders(gateway, request.caller));
    } finally {
      release();
    }
  };
}

/** The provider has the client's API, so the request is forwarded unchanged. */
async function forwardEmbedding(
  endpoint: EmbeddingEndpoint,
  model: Model,
  asked: EmbeddingCall,
  client: ClientRequest,
): Promise<HttpReply> {
  const { response } = await model.forwardEmbedding(asked.endpoint, asked.body, client);
  return { status: 200, json: endpoint.relay(response, asked) };
}

/** Embeds the texts through the provider's own API. */
async function translateEmbedding(
  endpoint: EmbeddingEndpoint,
  model: Model,
  asked: EmbeddingCall,
  signal: AbortSignal,
): Promise<HttpReply> {
  const losses: Loss[] = [];
  const report = (loss: Loss) => losses.push(loss);
  const { texts, options } = endpoint.readRequest(asked, report);
  const { vectors, usage } = await model.embed(texts, { ...options, signal });
  const result = { vectors, ...(usage === undefined ? {} : { inputTokens: usage.input }) };
  const json = endpoint.response(result, asked, report);
  return { status: 200, headers: lossHeader(losses), json };
}
