import { type TokenEntry, TokenStore } from "../gateway/auth/token-store.js";
import { isScope, scopes } from "../gateway/scope.js";
import { homeFolder } from "../runtime/config.js";
import { parseArguments, usageError } from "./arguments.js";
import { shownText } from "./shown-text.js";
import { table } from "./table.js";
import { tell } from "./tell.js";

const options = {
  scope: { type: "string" },
  name: { type: "string" },
  home: { type: "string" },
  json: { type: "boolean" },
} as const;

export async function run([action = "", ...args]: string[]): Promise<number> {
  const { values, file } = parseArguments("token", args, options);
  const tokens = new TokenStore(homeFolder(process.env, values.home));
  if (file !== undefined && action !== "revoke") throw usageError("token", `"${file}" is too much`);
  switch (action) {
    case "create":
      return create(tokens, values);
    case "list":
      return list(await tokens.list(), values.json === true);
    case "revoke": {
      if (file === undefined) throw usageError("token", "the ID of the token is missing");
      const { id, name } = await tokens.revoke(file);
      tell(`token ${id} (${name}) is not accepted any more`);
      return 0;
    }
    default:
      throw usageError("token", `say create, list or revoke, not "${action}"`);
  }
}

async function create(
  tokens: TokenStore,
  {
    scope = "chat",
    name = "unnamed",
    json,
  }: { scope?: string | undefined; name?: string | undefined; json?: boolean | undefined },
): Promise<number> {
  if (!isScope(scope)) {
    throw usageError("token", `--scope is one of ${scopes.join(", ")}, not "${scope}"`);
  }
  if (!/^\P{C}{1,64}$/u.test(name)) throw usageError("token", "--name is a line of up to 64 characters");
  const { secret, entry } = await tokens.create(name, scope);
  if (json === true) process.stdout.write(`${JSON.stringify({ ...shown(entry), token: secret })}\n`);
  else {
    process.stdout.write(`${secret}\n`);
    tell(`token ${entry.id} (${name}, scope ${scope}); it is shown only this once`);
  }
  return 0;
}

function list(entries: readonly TokenEntry[], json: boolean): number {
  if (json) {
    process.stdout.write(`${JSON.stringify(entries.map(shown))}\n`);
    return 0;
  }
  const rows = entries.map(({ id, name, scope, created, lastUsed }) => [
    id,
    scope,
    day(created),
    lastUsed === undefined ? "never" : day(lastUsed),
    name,
  ]);
  process.stdout.write(
    `${shownText(table([["ID", "SCOPE", "CREATED", "USED", "NAME"], ...rows]).join("\n"))}\n`,
  );
  return 0;
}

/** Without the hash, which is nobody's business. */
function shown({ id, name, scope, created, lastUsed }: TokenEntry) {
  return { id, name, scope, created, ...(lastUsed === undefined ? {} : { lastUsed }) };
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
