import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Json = Record<string, unknown>;

interface Grant {
  client: string;
  scope: string;
  resource: string;
}

interface Code extends Grant {
  redirectUri: string;
  challenge: string;
}

interface Access extends Grant {
  expires: number;
}

const ACCESS_SECONDS = 3600;

/**
 * An MCP server with the login of a hosted service, and its authorization server. It refuses what RFC 7636, 8707, 7591 and 9700
 * tell it to: codes and refresh tokens are used once, a used refresh token ends the login, redirects are compared exactly.
 */
export class FakeOAuthService {
  /** What was asked for, such as `GET /authorize`. */
  readonly requests: string[] = [];
  /** The parameters of each request to `/authorize` and `/token`. */
  readonly asked: Json[] = [];
  /** The time of tokens. */
  now = 1_768_469_400_000;
  /** The person's answer on the authorization page. */
  answer: "agree" | "deny" | "wrong issuer" = "agree";
  readonly #http = createServer((request, response) => void this.#handle(request, response));
  readonly #clients = new Map<string, string>();
  readonly #codes = new Map<string, Code>();
  readonly #access = new Map<string, Access>();
  readonly #refresh = new Map<string, Grant>();
  readonly #usedRefresh = new Set<string>();

  async listen(): Promise<void> {
    this.#http.listen(0, "127.0.0.1");
    await once(this.#http, "listening");
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  get clients(): number {
    return this.#clients.size;
  }

  /** Ends every login. */
  revoke(): void {
    this.#access.clear();
    this.#refresh.clear();
  }

  close(): void {
    this.#http.closeAllConnections();
    this.#http.close();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", this.origin);
    this.requests.push(`${request.method} ${pathname}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString("utf8");
    const send = (status: number, value: Json, headers = {}) =>
      response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(JSON.stringify(value));
    try {
      switch (`${request.method} ${pathname}`) {
        case "GET /.well-known/oauth-protected-resource/mcp":
          send(200, {
            resource: this.url,
            authorization_servers: [this.origin],
            scopes_supported: ["issues:read"],
          });
          return;
        case "GET /.well-known/oauth-authorization-server":
          send(200, this.#metadata());
          return;
        case "POST /register":
          send(201, this.#register(JSON.parse(body)));
          return;
        case "GET /authorize":
          response.writeHead(302, { location: this.#authorize(Object.fromEntries(searchParams)) }).end();
          return;
        case "POST /token":
          send(200, this.#token(Object.fromEntries(new URLSearchParams(body))));
          return;
        case "POST /mcp":
          this.#serve(request, JSON.parse(body), send);
          return;
        default:
          send(404, {});
      }
    } catch (error) {
      send(400, { error: error instanceof Error ? error.message : "invalid_request" });
    }
  }

  #metadata(): Json {
    return {
      issuer: this.origin,
      authorization_endpoint: `${this.origin}/authorize`,
      token_endpoint: `${this.origin}/token`,
      registration_endpoint: `${this.origin}/register`,
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      authorization_response_iss_parameter_supported: true,
    };
  }

  #register({ redirect_uris: uris, application_type: type }: Json): Json {
    const [uri] = Array.isArray(uris) ? uris : [];
    require(/^http:\/\/127\.0\.0\.1:\d+\/\w+$/.test(String(uri)) &&
      type === "native", "invalid_redirect_uri");
    const id = randomUUID();
    this.#clients.set(id, String(uri));
    return { client_id: id, token_endpoint_auth_method: "none" };
  }

  #authorize(query: Record<string, string>): string {
    this.asked.push(query);
    const {
      client_id: client = "",
      redirect_uri: redirectUri = "",
      state = "",
      code_challenge: challenge = "",
    } = query;
    require(this.#clients.get(client) === redirectUri, "invalid_redirect_uri");
    require(query["response_type"] === "code" && query["resource"] === this.url, "invalid_target");
    require(query["code_challenge_method"] === "S256" && challenge.length === 43, "invalid_request");
    require(state.length >= 32, "invalid_request");
    const target = new URL(redirectUri);
    target.searchParams.set("state", state);
    target.searchParams.set("iss", this.answer === "wrong issuer" ? "https://evil.test" : this.origin);
    if (this.answer === "deny") {
      target.searchParams.set("error", "access_denied");
      return target.href;
    }
    const code = randomUUID();
    this.#codes.set(code, {
      client,
      scope: query["scope"] ?? "",
      resource: this.url,
      redirectUri,
      challenge,
    });
    target.searchParams.set("code", code);
    return target.href;
  }

  #token(form: Record<string, string>): Json {
    this.asked.push(form);
    require(form["resource"] === this.url, "invalid_target");
    if (form["grant_type"] === "refresh_token") return this.#renew(form);
    const { code = "", code_verifier: verifier = "" } = form;
    const known = this.#codes.get(code);
    this.#codes.delete(code);
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    if (
      known === undefined ||
      known.client !== form["client_id"] ||
      known.redirectUri !== form["redirect_uri"]
    ) {
      throw new Error("invalid_grant");
    }
    require(known.challenge === challenge && verifier.length >= 43, "invalid_grant");
    return this.#issue(known);
  }

  #renew({ refresh_token: token = "", client_id: client }: Record<string, string>): Json {
    if (this.#usedRefresh.has(token)) this.revoke();
    const known = this.#refresh.get(token);
    if (known === undefined || known.client !== client) throw new Error("invalid_grant");
    this.#refresh.delete(token);
    this.#usedRefresh.add(token);
    return this.#issue(known);
  }

  #issue({ client, scope, resource }: Grant): Json {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    this.#access.set(access, { client, scope, resource, expires: this.now + ACCESS_SECONDS * 1000 });
    this.#refresh.set(refresh, { client, scope, resource });
    return {
      access_token: access,
      token_type: "Bearer",
      expires_in: ACCESS_SECONDS,
      refresh_token: refresh,
      scope,
    };
  }

  /** A server of the legacy era with one tool that everyone who is logged in may use, and one that needs more. */
  #serve(
    { headers: { authorization = "" } }: IncomingMessage,
    message: { id?: number; method: string; params?: Json },
    send: (status: number, value: Json, headers?: Json) => void,
  ): void {
    const access = this.#access.get(authorization.replace(/^Bearer /, ""));
    const metadata = `resource_metadata="${this.origin}/.well-known/oauth-protected-resource/mcp"`;
    if (access === undefined || access.expires <= this.now) {
      send(
        401,
        { error: "unauthorized" },
        { "www-authenticate": `Bearer ${metadata}, error="invalid_token"` },
      );
      return;
    }
    const { id, method, params = {} } = message;
    if (id === undefined) {
      send(202, {});
      return;
    }
    if (params["name"] === "close_issue" && !access.scope.split(" ").includes("issues:write")) {
      const challenge = `Bearer error="insufficient_scope", scope="issues:write", ${metadata}`;
      send(403, { error: "forbidden" }, { "www-authenticate": challenge });
      return;
    }
    const results: Record<string, Json> = {
      initialize: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "issues", version: "1" },
      },
      "tools/list": {
        tools: ["list_issues", "close_issue"].map((name) => ({ name, inputSchema: { type: "object" } })),
      },
      "tools/call": { content: [{ type: "text", text: `done: ${String(params["name"])}` }] },
    };
    const result = results[method];
    const error = { code: -32601, message: "unknown method" };
    send(200, { jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) });
  }
}

function require(isTrue: boolean, error: string): void {
  if (!isTrue) throw new Error(error);
}
