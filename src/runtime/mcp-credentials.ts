import { join } from "node:path";
import { DragomanError, wordsOf } from "../core/error.js";
import { parseJson } from "../core/json/parse.js";
import { isObject } from "../core/json/value.js";
import { openCells } from "../log/files/cells.js";
import { Locks } from "../log/locks/lock.js";
import type { CredentialStore } from "../mcp/oauth/access.js";
import { oauth } from "../mcp/oauth/checks.js";
import type { OAuthCredentials } from "../mcp/oauth/wire.js";

type All = Readonly<Record<string, OAuthCredentials>>;

/** The logins at MCP servers: `mcp-logins.json` of a home, which only its owner can read. */
export function credentialStore(home: string): CredentialStore {
  const locks = new Locks(join(home, "locks"));
  const file = openCells(home, locks).cell<All>("mcp-logins", {
    empty: {},
    parse: parseLogins,
    print: (servers) => `${JSON.stringify({ version: 1, servers }, null, 2)}\n`,
    refuse: unusable,
  });
  return {
    read: async (url) => (await file.read())[url],
    async write(url, credentials) {
      await file.change((all) => {
        const { [url]: before, ...others } = all;
        if (credentials === undefined) return before === undefined ? all : others;
        return { ...others, [url]: credentials };
      });
    },
    exclusively: (work) => locks.withLock("mcp-refresh", work),
  };
}

function parseLogins(text: string, path: string): All {
  const hint = "move it away and log in again";
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw unusable(path, wordsOf(error), hint);
  }
  const servers = isObject(value) && value["version"] === 1 ? value["servers"] : undefined;
  if (!isObject(servers)) throw unusable(path, "it does not contain logins", hint);
  const all = Object.entries(servers).map(([url, credentials]): [string, OAuthCredentials] => {
    if (!oauth.is("OAuthCredentials", credentials))
      throw unusable(path, `the login at ${url} is not valid`, hint);
    return [url, credentials];
  });
  return Object.fromEntries(all);
}

function unusable(path: string, reason: string, hint: string): DragomanError {
  return new DragomanError("mcp/bad-settings", `"${path}" cannot be used: ${reason}`, { hint });
}
