import { newId } from "../../core/ids.js";
import { isObject, isString } from "../../core/json/value.js";
import { ownName } from "../../mcp/own-name.js";
import { MAIN } from "../../runtime/agents.js";
import { usableAgents } from "../auth/permit.js";
import { refusalOf } from "../refusals.js";
import type { Gateway, GuestSocket, Permit } from "../types.js";
import { Connection } from "./connection.js";
import { type Hub, TICK_MS } from "./hub.js";
import { EVENTS, methods } from "./methods.js";
import { grantedScopes, type OperatorScope, scopeOf } from "./scopes.js";
import { mainKeyOf } from "./session-row.js";
import { errorFrame, PROTOCOL_VERSION, readRequest, resultFrame, type WireError } from "./wire.js";

/** Why a client is not let in, and the code that closes its socket. */
class Refused extends Error {
  readonly error: WireError;
  readonly closeCode: number;

  constructor(message: string, details?: object, closeCode = 1008) {
    super(message);
    this.error = { code: "INVALID_REQUEST", message, ...(details === undefined ? {} : { details }) };
    this.closeCode = closeCode;
  }
}

interface ConnectParams {
  secret: string | undefined;
  scopes: string[] | undefined;
  caps: string[];
}

/** Challenges a client, checks its token, and serves it. */
export async function welcome(guest: GuestSocket, hub: Hub, requestId: string): Promise<void> {
  const { gateway } = hub;
  const challenge = { nonce: newId(), ts: gateway.now() };
  guest.send(JSON.stringify({ type: "event", event: "connect.challenge", payload: challenge }));
  const request = readRequest(await guest.first);
  if ("error" in request && request.id === undefined) return guest.close(1008, "invalid handshake");
  const { id = "" } = request;
  try {
    if ("error" in request || request.method !== "connect") {
      throw new Refused("invalid handshake: first request must be connect");
    }
    const { secret, scopes: asked, caps } = readConnect(request.params);
    const socket = await admit(guest, secret);
    const scopes = grantedScopes(socket.caller.scope, asked);
    const permit = { ...socket.caller, scope: scopeOf(scopes) };
    socket.send(resultFrame(id, hello(gateway, permit, scopes)));
    new Connection(socket, hub, { permit, scopes, caps, requestId });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    guest.send(errorFrame(id, error.error));
    guest.close(error.closeCode, error.message);
  }
}

/** The signature of a device is not checked: the token alone decides, and no device tokens are issued. */
function readConnect(params: Readonly<Record<string, unknown>>): ConnectParams {
  const { minProtocol, maxProtocol, client, role = "operator", scopes, caps, auth } = params;
  if (typeof minProtocol !== "number" || typeof maxProtocol !== "number" || !isObject(client)) {
    throw new Refused("invalid connect params: minProtocol, maxProtocol and client are required");
  }
  if (minProtocol > PROTOCOL_VERSION || maxProtocol < PROTOCOL_VERSION) {
    const versions = { clientMinProtocol: minProtocol, clientMaxProtocol: maxProtocol };
    const details = { code: "PROTOCOL_MISMATCH", ...versions, expectedProtocol: PROTOCOL_VERSION };
    throw new Refused("protocol mismatch", details, 1002);
  }
  if (role !== "operator") {
    throw new Refused(`this gateway serves only the role "operator", not ${JSON.stringify(role)}`);
  }
  const token = isObject(auth) ? auth["token"] : undefined;
  return {
    secret: isString(token) && token !== "" ? token : undefined,
    scopes: Array.isArray(scopes) ? scopes.filter(isString) : undefined,
    caps: Array.isArray(caps) ? caps.filter(isString) : [],
  };
}

async function admit(guest: GuestSocket, secret: string | undefined) {
  try {
    return await guest.admit(secret);
  } catch (error) {
    const { reason, message, headers = {} } = refusalOf(error);
    if (reason === "unauthorized") {
      const code = secret === undefined ? "AUTH_TOKEN_MISSING" : "AUTH_TOKEN_MISMATCH";
      const what = secret === undefined ? "missing" : "unknown or revoked";
      throw new Refused(`unauthorized: the gateway token is ${what}`, { code });
    }
    if (reason === "rate_limited") {
      const retryAfterMs = Number(headers["retry-after"] ?? 1) * 1000;
      throw new Refused(message, { code: "AUTH_RATE_LIMITED", retryAfterMs });
    }
    if (reason === "forbidden") throw new Refused(message, { code: "AUTH_SCOPE_MISMATCH" });
    throw error;
  }
}

function hello({ runtime, limits, now }: Gateway, permit: Permit, scopes: readonly OperatorScope[]): object {
  const agents = usableAgents(permit, runtime.agents.ids);
  const agent = agents.includes(MAIN) ? MAIN : (agents[0] ?? MAIN);
  return {
    type: "hello-ok",
    protocol: PROTOCOL_VERSION,
    server: { version: ownName().version, connId: newId() },
    features: { methods: Object.keys(methods), events: EVENTS },
    snapshot: {
      presence: [],
      health: { ok: true, ts: now(), durationMs: 0 },
      stateVersion: { presence: 0, health: 0 },
      uptimeMs: Math.round(process.uptime() * 1000),
      sessionDefaults: {
        defaultAgentId: agent,
        modelConfigured: true,
        mainKey: "main",
        mainSessionKey: mainKeyOf(agent),
        scope: "per-sender",
      },
      authMode: "token",
    },
    auth: { role: "operator", scopes },
    policy: {
      maxPayload: limits.frameBytes,
      maxBufferedBytes: limits.unreadBytes,
      tickIntervalMs: TICK_MS,
    },
  };
}
