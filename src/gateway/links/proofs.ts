import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { DragomanError, wordsOf } from "../../core/error.js";
import { isObject } from "../../core/json/value.js";
import { PROOF_PREFIX } from "../auth/admission.js";

/** The path on which a gateway proves itself, before the other one does. */
export const HELLO_PATH = "/link/hello";

const NONCE = /^[\w-]{43}$/;
/** How long a challenge can be answered. */
const VALID_MS = 30_000;
/** Beyond this, the oldest challenges are forgotten. */
const MAX_OPEN = 1_000;
const HELLO_MS = 5_000;

interface Handshake {
  /** The advertised URL of the gateway that is called: a proof for one address is worth nothing at another. */
  url: string;
  /** Chosen by the caller. */
  nonce: string;
  /** Chosen by the gateway that is called. */
  challenge: string;
}

export interface Hello {
  challenge: string;
  proof: string;
}

/**
 * Both ends of a link prove that they know the cluster token, without sending it:
 *
 *     caller                                  called gateway
 *       POST /link/hello {nonce}        ──▶
 *                                       ◀──   {challenge, proof}      HMAC(key, "called", url, nonce, challenge)
 *       WS /rpc, link.CHALLENGE.PROOF   ──▶                           HMAC(key, "caller", url, nonce, challenge)
 *
 * The called gateway comes first, so that a caller that was given a wrong address reveals nothing there.
 */
export class Proofs {
  readonly #key: Buffer;
  readonly #url: () => string;
  readonly #now: () => number;
  /** By challenge: the nonce, and until when it can be used. Each is used once. */
  readonly #open = new Map<string, { nonce: string; until: number }>();

  /** @param now in milliseconds; only differences count */
  constructor(key: Buffer, url: () => string, now: () => number = () => performance.now()) {
    this.#key = key;
    this.#url = url;
    this.#now = now;
  }

  /** The answer to a caller's `POST /link/hello`; undefined if it is malformed. */
  answerHello(body: unknown): Hello | undefined {
    const nonce = isObject(body) ? body["nonce"] : undefined;
    if (typeof nonce !== "string" || !NONCE.test(nonce)) return undefined;
    const challenge = newNonce();
    const [oldest] = this.#open.keys();
    if (this.#open.size === MAX_OPEN && oldest !== undefined) this.#open.delete(oldest);
    this.#open.set(challenge, { nonce, until: this.#now() + VALID_MS });
    return { challenge, proof: proofOf(this.#key, "called", { url: this.#url(), nonce, challenge }) };
  }

  /** Whether a subprotocol proves that its sender knows the cluster token. */
  accepts(subprotocol: string): boolean {
    const [challenge = "", proof = ""] = subprotocol.slice(PROOF_PREFIX.length).split(".");
    const open = this.#open.get(challenge);
    this.#open.delete(challenge);
    if (open === undefined || this.#now() > open.until) return false;
    return isSame(proof, proofOf(this.#key, "caller", { url: this.#url(), nonce: open.nonce, challenge }));
  }
}

/** The subprotocol for a connection to the gateway at this URL, once that has proved itself. */
export async function proveTo(url: string, key: Buffer, fetch: typeof globalThis.fetch): Promise<string> {
  const nonce = newNonce();
  const answer = await postHello(url, nonce, fetch);
  const { challenge, proof } = isObject(answer) ? answer : {};
  const isProved =
    typeof challenge === "string" &&
    NONCE.test(challenge) &&
    typeof proof === "string" &&
    isSame(proof, proofOf(key, "called", { url, nonce, challenge }));
  if (!isProved) throw refused(url, "it does not know this gateway's cluster token");
  return `${PROOF_PREFIX}${challenge}.${proofOf(key, "caller", { url, nonce, challenge })}`;
}

async function postHello(url: string, nonce: string, fetch: typeof globalThis.fetch): Promise<unknown> {
  try {
    const response = await fetch(new URL(HELLO_PATH, url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ nonce }),
      // A redirect would lead to an address that was not advertised.
      redirect: "error",
      signal: AbortSignal.timeout(HELLO_MS),
    });
    if (response.ok) return await response.json();
    throw refused(url, `it answered with status ${response.status}`);
  } catch (error) {
    if (error instanceof DragomanError) throw error;
    throw refused(url, wordsOf(error));
  }
}

function refused(url: string, why: string): DragomanError {
  return new DragomanError("gateway/no-link", `cannot connect to the gateway at ${url}: ${why}`, {
    hint: "check its --advertise URL, and that both gateways have the same DRAGOMAN_CLUSTER_TOKEN",
  });
}

function proofOf(key: Buffer, role: "caller" | "called", { url, nonce, challenge }: Handshake): string {
  const text = ["dragoman link 1", role, url, nonce, challenge].join("\n");
  return createHmac("sha256", key).update(text).digest("base64url");
}

/** In constant time. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function newNonce(): string {
  return randomBytes(32).toString("base64url");
}
