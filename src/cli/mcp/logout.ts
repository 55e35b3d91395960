import { homeFolder, readConfig } from "../../runtime/config.js";
import { credentialStore } from "../../runtime/mcp-credentials.js";
import type { Arguments } from "../declaration.js";
import { reportLine } from "../terminal/report-line.js";
import type { mcpLogoutCommand } from "./login-commands.js";
import { loginServer } from "./login-server.js";

export async function run({ values, words: [name] }: Arguments<typeof mcpLogoutCommand>): Promise<number> {
  const home = homeFolder(process.env, values.home);
  const { url } = loginServer(await readConfig(home, process.env), name);
  const store = credentialStore(home);
  const isKnown = (await store.read(url)) !== undefined;
  await store.write(url, undefined);
  reportLine(isKnown ? `the login at ${name} is deleted` : `there is no login at ${name}`);
  return 0;
}
