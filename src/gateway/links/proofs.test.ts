import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { Proofs, proveTo } from "./proofs.js";

const key = createHash("sha256").update("one").digest();
const otherKey = createHash("sha256").update("other").digest();
const URL_HERE = "http://10.0.0.5:18800";

/** A gateway's answers, as `fetch` gets them; keeps what was sent. */
function called(proofs: Proofs, sent: string[] = []): typeof fetch {
  return async (url, init) => {
    sent.push(`${url} ${init?.body}`);
    return Response.json(proofs.answerHello(JSON.parse(String(init?.body))));
  };
}

test("two gateways with the same token accept each other, once", async () => {
  const proofs = new Proofs(key, () => URL_HERE);
  const proof = await proveTo(URL_HERE, key, called(proofs));
  expect(proof).toMatch(/^link\.[\w-]{43}\.[\w-]{43}$/);
  expect([proofs.accepts(proof), proofs.accepts(proof)]).toEqual([true, false]);
});

test("a gateway with another token is refused before the caller proves anything", async () => {
  const sent: string[] = [];
  const proofs = new Proofs(otherKey, () => URL_HERE);
  await expect(proveTo(URL_HERE, key, called(proofs, sent))).rejects.toMatchObject({
    code: "gateway/no-link",
    message: `cannot connect to the gateway at ${URL_HERE}: it does not know this gateway's cluster token`,
  });
  expect(sent).toEqual([
    expect.stringMatching(/^http:\/\/10\.0\.0\.5:18800\/link\/hello {"nonce":"[\w-]{43}"}$/),
  ]);
});

test("a caller with another token is refused", async () => {
  const proofs = new Proofs(key, () => URL_HERE);
  const nonce = "n".repeat(43);
  const { challenge = "" } = proofs.answerHello({ nonce }) ?? {};
  expect(proofs.accepts(`link.${challenge}.${"x".repeat(43)}`)).toBe(false);
  // The challenge was used up.
  expect(proofs.accepts(`link.${challenge}.${"x".repeat(43)}`)).toBe(false);
});

test("an impostor cannot pass a hello on to a real gateway: the proof is for another URL", async () => {
  const real = new Proofs(key, () => URL_HERE);
  await expect(proveTo("http://evil.test", key, called(real))).rejects.toMatchObject({
    code: "gateway/no-link",
  });
});

test("the proof of the called gateway is no proof of a caller", () => {
  const proofs = new Proofs(key, () => URL_HERE);
  const hello = proofs.answerHello({ nonce: "n".repeat(43) });
  expect(proofs.accepts(`link.${hello?.challenge}.${hello?.proof}`)).toBe(false);
});

test("a challenge ends after thirty seconds", async () => {
  let now = 0;
  const proofs = new Proofs(
    key,
    () => URL_HERE,
    () => now,
  );
  const proof = await proveTo(URL_HERE, key, called(proofs));
  const late = await proveTo(URL_HERE, key, called(proofs));
  now = 30_000;
  expect(proofs.accepts(proof)).toBe(true);
  now = 30_001;
  expect(proofs.accepts(late)).toBe(false);
});

test.each([undefined, null, "x", {}, { nonce: 1 }, { nonce: "short" }, { nonce: `${"n".repeat(42)}\n` }])(
  "a hello of %j is refused",
  (body) => {
    expect(new Proofs(key, () => URL_HERE).answerHello(body)).toBeUndefined();
  },
);

test("any number of hellos leaves a bounded number of challenges", async () => {
  const proofs = new Proofs(key, () => URL_HERE);
  const first = await proveTo(URL_HERE, key, called(proofs));
  for (let count = 0; count < 1000; count++) proofs.answerHello({ nonce: "n".repeat(43) });
  const last = await proveTo(URL_HERE, key, called(proofs));
  expect([proofs.accepts(first), proofs.accepts(last)]).toEqual([false, true]);
});
