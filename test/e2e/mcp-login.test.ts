import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { FakeOAuthService } from "../fakes/mcp/oauth-server.js";
import { main, workspace } from "../support/cli/run-cli.js";

const work = workspace();

test("login prints a link, stores the tokens without printing them, and logout deletes them", async () => {
  const service = new FakeOAuthService();
  service.now = Date.now();
  await service.listen();
  onTestFinished(() => service.close());
  work.put("config.json", JSON.stringify({ mcpServers: { issues: { type: "http", url: service.url } } }));
  const env = { DRAGOMAN_HOME: work.path(".") };

  const before = await work.dragoman(["mcp", "test"], "", env);
  expect(before.code).toBe(1);
  expect(before.stderr).toContain("issues requires a login; run `dragoman mcp login issues`");

  const login = spawn(process.execPath, [main, "mcp", "login", "issues", "--no-browser"], {
    env: { ...process.env, ...env },
  });
  let printed = "";
  login.stderr.on("data", (text) => {
    printed += text;
  });
  const [link] = await once(createInterface({ input: login.stdout }), "line");
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/authorize\?response_type=code&/);
  expect(await (await fetch(link)).text()).toBe("You can close this page and return to Dragoman.\n");
  const [code] = await once(login, "close");
  expect({ code, printed }).toEqual({
    code: 0,
    printed: expect.stringContaining("logged in to issues: 2 tools"),
  });
  expect(work.get("mcp-logins.json")).toContain("refresh-");
  expect(printed).not.toMatch(/access-|refresh-/);

  expect((await work.dragoman(["mcp", "test"], "", env)).code).toBe(0);
  const logout = await work.dragoman(["mcp", "logout", "issues"], "", env);
  expect(logout.stderr).toBe("the login at issues is deleted\n");
  expect(work.get("mcp-logins.json")).not.toContain("refresh-");
});

test("a server with a header of its own, and a program, have no login", async () => {
  const servers = {
    tracker: { url: "https://tracker.test/mcp", headers: { authorization: "Bearer x" } },
    files: { command: "true" },
  };
  work.put("config.json", JSON.stringify({ mcpServers: servers }));
  const env = { DRAGOMAN_HOME: work.path(".") };
  const tracker = await work.dragoman(["mcp", "login", "tracker"], "", env);
  expect(tracker).toMatchObject({ code: 2, stderr: expect.stringContaining("remove the header to log in") });
  const files = await work.dragoman(["mcp", "login", "files"], "", env);
  expect(files).toMatchObject({ code: 2, stderr: expect.stringContaining("which has no login") });
});
