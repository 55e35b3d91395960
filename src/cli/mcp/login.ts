import { DragomanError } from "../../core/error.js";
import { McpClient } from "../../mcp/client/client.js";
import { openableServer } from "../../mcp/client/open-server.js";
import { listenForRedirect } from "../../mcp/oauth/redirect-listener.js";
import type { OAuthSettings } from "../../mcp/settings.js";
import { world } from "../../providers/world.js";
import { homeFolder, readConfig } from "../../runtime/config.js";
import { httpFetch } from "../../runtime/http-fetch.js";
import { oauthAccess } from "../../runtime/mcp-access.js";
import { credentialStore } from "../../runtime/mcp-credentials.js";
import type { Arguments } from "../declaration.js";
import { openOutput } from "../files/output.js";
import { reportLine } from "../terminal/report-line.js";
import { onFirstSignal } from "../terminal/signals.js";
import { counted } from "../terminal/table.js";
import { openBrowser } from "../view/open-browser.js";
import type { mcpLoginCommand } from "./login-commands.js";
import { loginServer } from "./login-server.js";

const LIMIT_MS = 10 * 60_000;

export async function run({ values, words: [name] }: Arguments<typeof mcpLoginCommand>): Promise<number> {
  const home = homeFolder(process.env, values.home);
  const { settings, url } = loginServer(await readConfig(home, process.env), name);
  if (Object.keys(settings.headers ?? {}).some((header) => header.toLowerCase() === "authorization")) {
    throw new DragomanError("mcp/bad-settings", `${name} has an Authorization header in the configuration`, {
      hint: "it is used instead of a login; remove the header to log in",
    });
  }
  const output = await openOutput("-");
  const stopped = new AbortController();
  const exitCode = onFirstSignal(() => stopped.abort());
  let asked = false;
  const open = (link: string) => {
    asked = true;
    void output.write(`${link}\n`);
    reportLine(`log in to ${name} on this page; waiting for the browser to come back`);
    if (process.stdout.isTTY && values["no-browser"] !== true) openBrowser(link);
  };
  const page = {
    listen: listenForRedirect,
    open,
    signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(LIMIT_MS)]),
  };
  const store = credentialStore(home);
  const access = (named: string, address: string, oauth: OAuthSettings | undefined) =>
    oauthAccess({ name: named, url: address, oauth, store, page });
  // The server has asked for more access since the last login.
  const needsMore = (await store.read(url))?.neededScope !== undefined;
  if (needsMore) await access(name, url, settings.oauth).logIn();
  const server = openableServer(name, settings, {
    home,
    env: (variable) => world.env(variable),
    fetch: httpFetch,
    authOf: access,
  });
  try {
    const client = await McpClient.connect({ open: server.open, era: settings.era ?? "auto" });
    const tools = await client.listTools();
    await client.close();
    const what = asked ? `logged in to ${name}` : `${name} is available without another login`;
    reportLine(`${what}: ${counted(tools.length, "tool")}`);
    return 0;
  } catch (error) {
    const code = exitCode();
    if (code === undefined) throw error;
    return code;
  }
}
