import type { Api, Sign } from "../../core/api/provider.js";
import { DragomanError } from "../../core/error.js";
import type { JsonObject } from "../../core/json/value.js";
import type { World } from "../world.js";
import {
  checkGoogleCredentials,
  findGoogleCredentials,
  type GoogleCredentials,
} from "./google-credentials.js";
import { readMetadata, requestGoogleToken } from "./google-token.js";
import { fillPlaceholders, firstVariable, type Host, type HostCall, type HostWorld } from "./host.js";
import { TokenCache } from "./token-cache.js";

/** Gemini on Vertex AI: the Gemini API with access tokens instead of keys. */
export const vertexGemini: Host = {
  adapt: (api) => ({ ...api, address: { path: api.address.path } }),
  open: (call, world) => {
    if (call.model.startsWith("claude")) throw wrongName(call.model, "vertex-anthropic");
    return open(call, world);
  },
  check,
};

/** The version of Anthropic's API that Vertex AI serves. */
const ANTHROPIC_VERSION = "vertex-2023-10-16";

function withVersion({ model: _, ...body }: JsonObject): JsonObject {
  return { anthropic_version: ANTHROPIC_VERSION, ...body };
}

/** Claude on Vertex AI: the model is in the URL, and the version in the body. */
export const vertexClaude: Host = {
  adapt: (api): Api => ({
    ...api,
    // Models have names such as `claude-sonnet-4-5@20250929`.
    address: {
      path: (model) => `/models/${encodeURIComponent(model).replaceAll("%40", "@")}:streamRawPredict`,
      clientHeaders: { "anthropic-beta": "list" },
    },
    request: (call, flags, onLoss) => withVersion(api.request(call, flags, onLoss)),
    forwardable: (body, model, flags) => withVersion(api.forwardable(body, model, flags)),
  }),
  open: (call, world) => {
    if (call.model.startsWith("gemini")) throw wrongName(call.model, "vertex");
    return open(call, world);
  },
  check,
};

function wrongName(model: string, provider: string): DragomanError {
  return new DragomanError("provider/unknown", `${model} has another API on Vertex AI`, {
    hint: `use ${provider}/${model}`,
  });
}

async function check({ key }: HostCall, world: HostWorld): Promise<void> {
  if (key === undefined) await checkGoogleCredentials(world);
}

const tokens = new TokenCache();

async function open({ baseUrl, key }: HostCall, world: World) {
  const credentials = key === undefined ? await findGoogleCredentials(world) : undefined;
  const location = locationOf(world);
  const url = await fillPlaceholders(baseUrl, {
    host: async () => hostOf(location),
    project: () => projectOf(credentials, world),
    location: async () => location,
  });
  if (credentials === undefined) return { baseUrl: url, ...(key === undefined ? {} : { key }) };
  return { baseUrl: url, sign: signWith(credentials, world) };
}

function signWith(credentials: GoogleCredentials, world: World): Sign {
  return async (request, signal) => {
    const requestToken = () => requestGoogleToken(credentials, world);
    const { value } = await tokens.find(ownerOf(credentials), requestToken, { now: world.now, signal });
    const project = credentials.type === "authorized_user" ? credentials.project : undefined;
    return {
      ...request,
      headers: {
        ...request.headers,
        authorization: `Bearer ${value}`,
        // A user's token does not name the project to be billed.
        ...(project === undefined ? {} : { "x-goog-user-project": project }),
      },
    };
  };
}

/** Identifies the token's owner in the cache. */
function ownerOf(credentials: GoogleCredentials): string {
  switch (credentials.type) {
    case "service_account":
      return `${credentials.email} ${credentials.keyId ?? credentials.privateKey} ${credentials.tokenUrl}`;
    case "authorized_user":
      return `${credentials.clientId} ${credentials.refreshToken}`;
    case "metadata":
      return credentials.host;
  }
}

function locationOf(world: World): string {
  return firstVariable(world, "GOOGLE_CLOUD_LOCATION", "GOOGLE_CLOUD_REGION", "CLOUD_ML_REGION") ?? "global";
}

/** Regions, multi-regions and the global location have different host names. */
function hostOf(location: string): string {
  if (location === "global") return "aiplatform.googleapis.com";
  if (location === "us" || location === "eu") return `aiplatform.${location}.rep.googleapis.com`;
  return `${location}-aiplatform.googleapis.com`;
}

async function projectOf(credentials: GoogleCredentials | undefined, world: World): Promise<string> {
  const named = firstVariable(world, "GOOGLE_CLOUD_PROJECT", "GCLOUD_PROJECT", "ANTHROPIC_VERTEX_PROJECT_ID");
  if (named !== undefined) return named;
  if (credentials?.type === "metadata") {
    return (await readMetadata(credentials, "project/project-id", world)).trim();
  }
  if (credentials?.project !== undefined) return credentials.project;
  throw new DragomanError("config/invalid", "no Google Cloud project is set", {
    hint: "set GOOGLE_CLOUD_PROJECT",
  });
}
