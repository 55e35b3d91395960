import type { AskedEmbedding, EmbeddingApi } from "../../core/api/embedding-api.js";
import type { JsonObject } from "../../core/json/value.js";
import type { Loss } from "../../core/types.js";
import { loadEmbeddingApi } from "../../dialects/registry.js";
import type { Model } from "../../providers/connect.js";
import { AGENT_PREFIX } from "../../runtime/model-names.js";
import { requireOffered } from "../offered-models.js";
import { closingDown } from "../refusals.js";
import type { Gateway, HttpReply, HttpRequest } from "../types.js";
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
      const model = runtime.connect(name);
      requireOffered(runtime, request.caller, name);
      const own = await loadEmbeddingApi(family.api);
      if (own === undefined) throw new Error(`${family.api} has no embeddings`);
      const isSame = model.api !== undefined && (await loadEmbeddingApi(model.api)) === own;
      return await (isSame
        ? forwarded(own, model, { ...request, signal }, asked)
        : translated(own, model, asked, signal));
    } catch (error) {
      throw closing.aborted ? closingDown() : asRefusal(error);
    } finally {
      release();
    }
  };
}

/** The model's provider has the client's API: the request goes there as it came. */
async function forwarded(
  api: EmbeddingApi,
  model: Model,
  { headers, signal }: Pick<HttpRequest, "headers" | "signal">,
  asked: EmbeddingCall,
): Promise<HttpReply> {
  const { response } = await model.forwardEmbedding(asked.endpoint, asked.body, { headers, signal });
  return { status: 200, json: endpointOf(api, asked).relay(response, asked) };
}

/** The texts are embedded in the API of the model's provider. */
async function translated(
  api: EmbeddingApi,
  model: Model,
  asked: EmbeddingCall,
  signal: AbortSignal,
): Promise<HttpReply> {
  const endpoint = endpointOf(api, asked);
  const losses: Loss[] = [];
  const report = (loss: Loss) => losses.push(loss);
  const { texts, options } = endpoint.readRequest(asked, report);
  const { vectors, usage } = await model.embed(texts, { ...options, signal });
  const result = { vectors, ...(usage === undefined ? {} : { inputTokens: usage.input }) };
  const json: JsonObject = endpoint.response(result, asked, report);
  return { status: 200, headers: lossHeader(losses), json };
}

function endpointOf(api: EmbeddingApi, { endpoint: name }: EmbeddingCall) {
  const { [name]: endpoint } = api.endpoints;
  if (endpoint === undefined) throw new Error(`there is no endpoint ${name}`);
  return endpoint;
}
