import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { connect } from "../../../src/providers/connect.js";
import { fakeVertex, type VertexAccounts } from "../../fakes/vertex.js";

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const privateKey = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const publicKey = pair.publicKey.export({ type: "spki", format: "pem" }).toString();

const streams: Record<string, string> = {
  google:
    'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"Bonjour"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":2,"totalTokenCount":5}}\n\n',
  anthropic: [
    '{"type":"message_start","message":{"id":"msg_vrtx_1","type":"message","role":"assistant","model":"claude-sonnet-4-5-20250929","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":1}}}',
    '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
    '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Bonjour"}}',
    '{"type":"content_block_stop","index":0}',
    '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2}}',
    '{"type":"message_stop"}',
  ]
    .map((data) => `event: ${JSON.parse(data).type}\ndata: ${data}\n\n`)
    .join(""),
};

interface Setting {
  env?: Record<string, string>;
  files?: Record<string, string>;
  accounts?: Omit<VertexAccounts, "now">;
}

/** Every test has accounts of its own, because tokens are kept for as long as they are valid. */
let accountNumber = 0;
function serviceAccount(changes: Record<string, string> = {}) {
  const email = `bot-${++accountNumber}@p1.iam.gserviceaccount.com`;
  const file = {
    type: "service_account",
    project_id: "file-project",
    private_key_id: "key-1",
    private_key: privateKey,
    client_email: email,
    token_uri: "https://oauth2.googleapis.com/token",
    ...changes,
  };
  return { file: JSON.stringify(file), services: { [email]: { keyId: "key-1", publicKey } } };
}

function setUp({ env = {}, files = {}, accounts = {} }: Setting) {
  let time = Date.parse("2026-01-01T00:00:00Z");
  const vertex = fakeVertex({ ...accounts, now: () => time }, (publisher) => streams[publisher] ?? "");
  const world = {
    now: () => time,
    env: (name: string) => env[name],
    readFile: async (path: string) => files[path],
    after: () => () => undefined,
  };
  const model = (name: string, options = {}) =>
    connect(name, { fetch: vertex.fetch, world, maxRetries: 0, ...options });
  return {
    vertex,
    model,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

const hello = { messages: [{ role: "user" as const, content: "Say hello", timestamp: 1 }] };
const withService = () => {
  const { file, services } = serviceAccount();
  return setUp({
    env: { GOOGLE_APPLICATION_CREDENTIALS: "/key.json" },
    files: { "/key.json": file },
    accounts: { services },
  });
};

describe("models", () => {
  test("Gemini is asked in Google's API, with a bearer token", async () => {
    const { model, vertex } = withService();
    const answer = await model("vertex/gemini-2.5-flash").complete(hello);
    expect(answer).toMatchObject({
      content: [{ type: "text", text: "Bonjour" }],
      api: "google-generative-ai",
      provider: "vertex",
      model: "gemini-2.5-flash",
      stopReason: "stop",
    });
    expect(vertex.calls[0]).toMatchObject({
      url: "https://aiplatform.googleapis.com/v1/projects/file-project/locations/global/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
      headers: { authorization: "Bearer ya29.fake-token-number-1" },
    });
    expect(vertex.calls[0]?.headers).not.toHaveProperty("x-goog-api-key");
  });

  test("Claude is asked in Anthropic's API: the version in the body, the model in the URL", async () => {
    const { model, vertex } = withService();
    const answer = await model("vertex-anthropic/claude-sonnet-4-5@20250929").complete(hello);
    expect(answer).toMatchObject({
      content: [{ type: "text", text: "Bonjour" }],
      api: "anthropic-messages",
      provider: "vertex-anthropic",
      model: "claude-sonnet-4-5@20250929",
      usage: { input: 3, output: 2 },
    });
    const [call] = vertex.calls;
    expect(call?.url).toBe(
      "https://aiplatform.googleapis.com/v1/projects/file-project/locations/global/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict",
    );
    expect(call?.body).toMatchObject({ anthropic_version: "vertex-2023-10-16", stream: true });
    expect(call?.body).not.toHaveProperty("model");
  });

  test("a preview shows what is sent, and needs no credentials", async () => {
    const { model, vertex } = setUp({});
    const { request } = await model("vertex-anthropic/claude-opus-4-6").preview(hello);
    expect(request).toMatchObject({ anthropic_version: "vertex-2023-10-16" });
    expect(request).not.toHaveProperty("model");
    expect(vertex.tokenRequests).toEqual([]);
  });

  test.each([
    ["vertex/claude-opus-4-6", "use vertex-anthropic/claude-opus-4-6"],
    ["vertex-anthropic/gemini-2.5-pro", "use vertex/gemini-2.5-pro"],
  ])("%s names the right provider", async (name, hint) => {
    await expect(withService().model(name).complete(hello)).rejects.toMatchObject({
      code: "provider/unknown",
      hint,
    });
  });
});

describe("project and location", () => {
  test.each([
    [
      { GOOGLE_CLOUD_PROJECT: "p1", GOOGLE_CLOUD_LOCATION: "europe-west4" },
      "https://europe-west4-aiplatform.googleapis.com/v1/projects/p1/locations/europe-west4/",
    ],
    [
      { GCLOUD_PROJECT: "p2", CLOUD_ML_REGION: "us-east5" },
      "https://us-east5-aiplatform.googleapis.com/v1/projects/p2/locations/us-east5/",
    ],
    [
      { GOOGLE_CLOUD_PROJECT: "example.com:p3", GOOGLE_CLOUD_LOCATION: "eu" },
      "https://aiplatform.eu.rep.googleapis.com/v1/projects/example.com:p3/locations/eu/",
    ],
  ])("%j", async (env, start) => {
    const urls: string[] = [];
    const fetch = async (url: string) => {
      urls.push(url);
      return new Response("{}", { status: 400 });
    };
    const { model } = setUp({ env });
    await expect(
      model("vertex/gemini-2.5-pro", { fetch, apiKey: "ya29.x" }).complete(hello),
    ).rejects.toThrow();
    expect(urls[0]?.startsWith(start)).toBe(true);
  });

  test("a base URL may name them itself", async () => {
    const urls: string[] = [];
    const fetch = async (url: string) => {
      urls.push(url);
      return new Response("{}", { status: 400 });
    };
    const baseUrl = "https://proxy.test/projects/p/locations/l/publishers/google";
    const { model } = setUp({});
    await expect(
      model("vertex/gemini-2.5-pro", { fetch, baseUrl, apiKey: "ya29.x" }).complete(hello),
    ).rejects.toThrow();
    expect(urls).toEqual([`${baseUrl}/models/gemini-2.5-pro:streamGenerateContent?alt=sse`]);
  });

  test("without a project nothing is sent", async () => {
    const { model, vertex } = setUp({
      env: { HOME: "/home/me" },
      files: {
        "/home/me/.config/gcloud/application_default_credentials.json": JSON.stringify({
          type: "authorized_user",
          client_id: "c",
          client_secret: "s",
          refresh_token: "r",
        }),
      },
    });
    await expect(model("vertex/gemini-2.5-pro").complete(hello)).rejects.toMatchObject({
      code: "config/invalid",
      hint: "set GOOGLE_CLOUD_PROJECT",
    });
    expect(vertex.calls).toEqual([]);
  });

  test("a location that would change the address is refused", async () => {
    const { model } = setUp({ env: { GOOGLE_CLOUD_PROJECT: "p", GOOGLE_CLOUD_LOCATION: "evil.test/x" } });
    await expect(model("vertex/gemini-2.5-pro", { apiKey: "k" }).complete(hello)).rejects.toMatchObject({
      code: "config/invalid",
    });
  });
});

describe("credentials", () => {
  test("those of gcloud are exchanged for a token, and their project is billed", async () => {
    const { model, vertex } = setUp({
      env: { HOME: "/home/me" },
      files: {
        "/home/me/.config/gcloud/application_default_credentials.json": JSON.stringify({
          type: "authorized_user",
          client_id: "id.apps.googleusercontent.com",
          client_secret: "client-secret-1",
          refresh_token: "1//refresh-token-one",
          quota_project_id: "mine",
        }),
      },
      accounts: { refreshTokens: ["1//refresh-token-one"] },
    });
    expect((await model("vertex/gemini-2.5-pro").complete(hello)).stopReason).toBe("stop");
    expect(vertex.tokenRequests).toEqual(["refresh_token"]);
    expect(vertex.calls[0]).toMatchObject({ headers: { "x-goog-user-project": "mine" } });
    expect(vertex.calls[0]?.url).toContain("/projects/mine/");
  });

  test("in Google's cloud the metadata server knows the project and gives tokens", async () => {
    const { model, vertex } = setUp({ accounts: { metadataProject: "cloud-project" } });
    expect((await model("vertex/gemini-2.5-pro").complete(hello)).stopReason).toBe("stop");
    expect(vertex.calls[0]?.url).toContain("/projects/cloud-project/locations/global/");
  });

  test("without any there is one clear error", async () => {
    const { model } = setUp({ env: { GOOGLE_CLOUD_PROJECT: "p", GCE_METADATA_HOST: "nowhere.test" } });
    await expect(model("vertex/gemini-2.5-pro").complete(hello)).rejects.toMatchObject({
      code: "provider/no-key",
      message: "there are no Google credentials",
      hint: "run gcloud auth application-default login, set GOOGLE_APPLICATION_CREDENTIALS, or pass an access token as apiKey",
    });
  });

  test.each([
    ["nothing", undefined, "GOOGLE_APPLICATION_CREDENTIALS names /key.json, which does not exist"],
    ["not JSON", "{SECRET-TEXT", "/key.json is not a JSON file with credentials"],
    [
      "another type",
      '{"type":"external_account"}',
      'the credentials in /key.json have the type "external_account", which is not supported',
    ],
    [
      "a missing field",
      '{"type":"service_account","client_email":"a@b"}',
      'the credentials in /key.json have no "private_key"',
    ],
    [
      "a broken key",
      '{"type":"service_account","client_email":"a@b","private_key":"SECRET-KEY","project_id":"p"}',
      "the private key of a@b cannot be read",
    ],
  ])("a file with %s", async (_, text, message) => {
    const { model } = setUp({
      env: { GOOGLE_APPLICATION_CREDENTIALS: "/key.json" },
      files: text === undefined ? {} : { "/key.json": text },
    });
    await expect(model("vertex/gemini-2.5-pro").complete(hello)).rejects.toMatchObject({
      code: "provider/no-key",
      message,
    });
  });

  test("a key that Google does not know is refused", async () => {
    const { file } = serviceAccount();
    const { model } = setUp({
      env: { GOOGLE_APPLICATION_CREDENTIALS: "/key.json" },
      files: { "/key.json": file },
    });
    await expect(model("vertex/gemini-2.5-pro").complete(hello)).rejects.toMatchObject({
      code: "provider/no-key",
      message: "Google refused the credentials: HTTP 400: invalid_grant: Invalid grant: account not found",
    });
  });
});

describe("tokens", () => {
  test("one is used until shortly before it expires, by all calls at once", async () => {
    const { model, vertex, pass } = withService();
    const ask = () => model("vertex/gemini-2.5-flash").complete(hello);
    const [first, second] = await Promise.all([ask(), ask()]);
    expect([first.stopReason, second.stopReason]).toEqual(["stop", "stop"]);
    pass(3600_000 - 226_000);
    await ask();
    expect(vertex.tokenRequests).toHaveLength(1);
    pass(2000);
    await ask();
    expect(vertex.tokenRequests).toHaveLength(2);
    expect(vertex.calls.map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer ya29.fake-token-number-1",
      "Bearer ya29.fake-token-number-1",
      "Bearer ya29.fake-token-number-1",
      "Bearer ya29.fake-token-number-2",
    ]);
  });

  test("a failed request for one is not remembered", async () => {
    const { file, services } = serviceAccount();
    const env = { GOOGLE_APPLICATION_CREDENTIALS: "/key.json" };
    const files = { "/key.json": file };
    const accounts: Omit<VertexAccounts, "now"> = {};
    const { model } = setUp({ env, files, accounts });
    await expect(model("vertex/gemini-2.5-flash").complete(hello)).rejects.toThrow("Google refused");
    const later = setUp({ env, files, accounts: { services } });
    expect((await later.model("vertex/gemini-2.5-flash").complete(hello)).stopReason).toBe("stop");
  });

  test("neither they nor what they were got with are in an error", async () => {
    const { model, vertex } = withService();
    await model("vertex/gemini-2.5-flash").complete(hello);
    vertex.revoke();
    const refused = model("vertex/gemini-2.5-flash").complete(hello);
    await expect(refused).rejects.toMatchObject({
      code: "provider/http",
      message: "HTTP 401: Request had invalid authentication credentials: [secret]",
    });
    const person = setUp({
      env: { HOME: "/home/me", GOOGLE_CLOUD_PROJECT: "p" },
      files: {
        "/home/me/.config/gcloud/application_default_credentials.json": JSON.stringify({
          type: "authorized_user",
          client_id: "c",
          client_secret: "client-secret-2",
          refresh_token: "1//refresh-token-revoked",
        }),
      },
    });
    await expect(person.model("vertex/gemini-2.5-flash").complete(hello)).rejects.toMatchObject({
      message:
        "Google refused the credentials: HTTP 400: invalid_grant: Token has been expired or revoked: [secret]",
    });
  });

  test("who hangs up does not wait for one", async () => {
    const { model } = withService();
    const controller = new AbortController();
    const fetch = () =>
      new Promise<Response>(() => {
        controller.abort();
      });
    const answer = await model("vertex/gemini-2.5-flash", { fetch }).complete(hello, {
      signal: controller.signal,
    });
    expect(answer.stopReason).toBe("aborted");
  });
});
