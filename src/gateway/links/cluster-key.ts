import { createHash, randomBytes } from "node:crypto";
import { DragomanError, wordsOf } from "../../core/error.js";
import { parseJson } from "../../core/json/parse.js";
import { isObject } from "../../core/json/value.js";
import type { Store } from "../../log/store.js";

const SHORTEST = 32;

/** The key that gateways of one store have in common: from the given token, or else one that the store keeps. */
export async function clusterKey(store: Pick<Store, "cell">, token: string | undefined): Promise<Buffer> {
  if (token !== undefined && token.length < SHORTEST) {
    throw new DragomanError(
      "config/invalid",
      `DRAGOMAN_CLUSTER_TOKEN is shorter than ${SHORTEST} characters`,
      {
        hint: "generate one with `openssl rand -base64 32`, and give it to every gateway of the store",
      },
    );
  }
  return keyOf(token ?? (await storedToken(store)));
}

async function storedToken(store: Pick<Store, "cell">): Promise<string> {
  const cell = store.cell<string>("cluster", {
    empty: "",
    parse: parseToken,
    print: (token) => `${JSON.stringify({ version: 1, token })}\n`,
    refuse: unusable,
  });
  return cell.change((known) => (known === "" ? randomBytes(32).toString("base64url") : known));
}

function parseToken(text: string, where: string): string {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw unusable(where, wordsOf(error), "remove it; the next gateway creates another one");
  }
  const token = isObject(value) && value["version"] === 1 ? value["token"] : undefined;
  if (typeof token === "string" && token.length >= SHORTEST) return token;
  throw unusable(where, "it contains no token", "remove it; the next gateway creates another one");
}

function unusable(where: string, reason: string, hint: string): DragomanError {
  return new DragomanError("gateway/bad-cluster", `"${where}" cannot be used: ${reason}`, { hint });
}

/** Not the token itself, so that the same text used elsewhere is worth nothing here. */
function keyOf(token: string): Buffer {
  return createHash("sha256").update(`dragoman cluster\n${token}`).digest();
}
