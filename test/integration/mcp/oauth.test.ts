import { statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { McpClient } from "../../../src/mcp/client/client.js";
import { HttpTransport } from "../../../src/mcp/client/http-transport.js";
import { OAuthAccess } from "../../../src/mcp/oauth/access.js";
import { listenForRedirect } from "../../../src/mcp/oauth/redirect-listener.js";
import { httpFetch } from "../../../src/runtime/http-fetch.js";
import { credentialStore } from "../../../src/runtime/mcp-credentials.js";
import { FakeOAuthService } from "../../fakes/mcp/oauth-server.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

let service: FakeOAuthService;
let home: string;

beforeEach(async () => {
  home = temporaryFolder();
  service = new FakeOAuthService();
  await service.listen();
  onTestFinished(() => service.close());
});

/** A person who follows the links of the authorization page. */
function browse(link: string): void {
  void fetch(link);
}

function accessTo(open?: (link: string) => void): OAuthAccess {
  return new OAuthAccess({
    name: "issues",
    url: service.url,
    store: credentialStore(home),
    configured: {},
    fetch: httpFetch,
    now: () => service.now,
    ...(open === undefined
      ? {}
      : { page: { listen: listenForRedirect, open, signal: new AbortController().signal } }),
  });
}

async function connect(auth: OAuthAccess, headers = {}): Promise<McpClient> {
  const client = await McpClient.connect({
    era: "legacy",
    open: (events) => new HttpTransport({ url: service.url, headers, fetch: httpFetch, auth }, events),
  });
  onTestFinished(() => client.close());
  return client;
}

function textOf({ content }: { content?: unknown[] }): unknown {
  return content?.[0];
}

test("a login is asked for once, and used by other processes from then on", async () => {
  const client = await connect(accessTo(browse));
  expect((await client.listTools()).map(({ name }) => name)).toEqual(["list_issues", "close_issue"]);
  expect(service.requests.slice(0, 7)).toEqual([
    "POST /mcp",
    "GET /.well-known/oauth-protected-resource/mcp",
    "GET /.well-known/oauth-authorization-server",
    "POST /register",
    "GET /authorize",
    "POST /token",
    "POST /mcp",
  ]);
  expect(service.asked[0]).toMatchObject({ scope: "issues:read", resource: service.url });
  const { mode } = statSync(join(home, "mcp-logins.json"));
  expect((mode & 0o777).toString(8)).toBe("600");
  const other = await connect(accessTo());
  expect(textOf(await other.callTool("list_issues", {}))).toEqual({
    type: "text",
    text: "done: list_issues",
  });
});

test("without a person, the error names the command that logs in", async () => {
  await expect(connect(accessTo())).rejects.toMatchObject({
    code: "mcp/unauthorized",
    message: "issues requires a login",
    hint: "run `dragoman mcp login issues`",
  });
});

test("an expired token is refreshed before it is sent, and only once by two processes", async () => {
  await connect(accessTo(browse));
  service.now += 3_600_000;
  const [one, two] = await Promise.all([connect(accessTo()), connect(accessTo())]);
  expect(textOf(await one.callTool("list_issues", {}))).toMatchObject({ text: "done: list_issues" });
  expect(textOf(await two.callTool("list_issues", {}))).toMatchObject({ text: "done: list_issues" });
  const refreshes = service.asked.filter((form) => form["grant_type"] === "refresh_token");
  expect(refreshes).toHaveLength(1);
  // The new refresh token replaces the used one.
  service.now += 3_600_000;
  await connect(accessTo());
  expect(service.clients).toBe(1);
});

test("a login that was revoked has to be repeated, with the same client", async () => {
  await connect(accessTo(browse));
  service.revoke();
  await expect(connect(accessTo())).rejects.toMatchObject({ message: "issues requires a login" });
  await connect(accessTo(browse));
  expect(service.clients).toBe(1);
});

test("more access is asked for together with what was granted", async () => {
  await connect(accessTo(browse));
  const unattended = await connect(accessTo());
  await expect(unattended.callTool("close_issue", {})).rejects.toMatchObject({
    message: "issues requires more access: issues:write",
    hint: "run `dragoman mcp login issues` to grant it",
  });
  await accessTo(browse).logIn();
  expect(service.asked.filter((query) => query["response_type"] === "code").at(-1)).toMatchObject({
    scope: "issues:read issues:write",
  });
  expect(textOf(await unattended.callTool("close_issue", {}))).toMatchObject({ text: "done: close_issue" });
});

test("a person who is there grants more access at once", async () => {
  const client = await connect(accessTo(browse));
  expect(textOf(await client.callTool("close_issue", {}))).toMatchObject({ text: "done: close_issue" });
});

test("a configured Authorization header is sent, and never replaced by a login", async () => {
  const attempt = connect(accessTo(browse), { Authorization: "Bearer wrong" });
  await expect(attempt).rejects.toMatchObject({ code: "mcp/unauthorized" });
  expect(service.requests).toEqual(["POST /mcp"]);
});

test.each([
  ["deny", "access was not granted: access_denied"],
  ["wrong issuer", "the redirect did not come from the authorization server that was asked"],
] as const)("a redirect with %s ends the login", async (answer, message) => {
  service.answer = answer;
  await expect(connect(accessTo(browse))).rejects.toMatchObject({ message });
  expect(service.requests).not.toContain("POST /token");
});

test("a redirect with another state is refused, and the login goes on", async () => {
  const statuses: number[] = [];
  const client = await connect(
    accessTo((link) => {
      void (async () => {
        const redirect = new URL(new URL(link).searchParams.get("redirect_uri") ?? "");
        redirect.search = "?state=guessed&code=stolen";
        statuses.push((await fetch(redirect)).status);
        browse(link);
      })();
    }),
  );
  expect(statuses).toEqual([400]);
  expect(await client.listTools()).toHaveLength(2);
});
