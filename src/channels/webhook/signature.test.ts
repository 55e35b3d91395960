import { expect, test } from "vitest";
import { signatureHeaders, signatureProblem } from "./signature.js";

const secret = "0123456789abcdef";
const body = new TextEncoder().encode('{"a":"ü"}');
// printf '1740000000.{"a":"ü"}' | openssl dgst -sha256 -hmac 0123456789abcdef
const headers = {
  "x-dragoman-timestamp": "1740000000",
  "x-dragoman-signature": "v1=cb255686ea70a3c439894d8b91246d4ddd71b4727e29a05baf2797332c3438f6",
};
const now = 1_740_000_000_999;

test("the signature is what openssl makes of it", () => {
  expect(signatureHeaders(secret, body, now)).toEqual(headers);
});

function why(changed: Record<string, string | undefined>, at = now, bytes = body): string | undefined {
  return signatureProblem(secret, { method: "POST", headers: { ...headers, ...changed }, body: bytes }, at);
}

test("what is signed is believed for five minutes, before and after", () => {
  expect(why({})).toBeUndefined();
  expect(why({}, 1_740_000_300_000)).toBeUndefined();
  expect(why({}, 1_739_999_700_000)).toBeUndefined();
  expect(why({}, 1_740_000_301_000)).toBe("the timestamp is 301 seconds off; check the clocks");
  expect(why({}, 1_739_999_698_000)).toBe("the timestamp is 302 seconds off; check the clocks");
});

const needed =
  "X-Dragoman-Timestamp (Unix seconds) and X-Dragoman-Signature (v1=…, 64 hex digits) are required";
const other = `v1=${"0".repeat(64)}`;

test.each([
  ["no signature", { "x-dragoman-signature": undefined }, needed],
  ["no time", { "x-dragoman-timestamp": undefined }, needed],
  ["a time that is none", { "x-dragoman-timestamp": "soon" }, needed],
  ["another scheme", { "x-dragoman-signature": headers["x-dragoman-signature"].replace("v1", "v0") }, needed],
  ["a part of it", { "x-dragoman-signature": headers["x-dragoman-signature"].slice(0, -1) }, needed],
  ["another signature", { "x-dragoman-signature": other }, "the signature is wrong"],
  ["another time", { "x-dragoman-timestamp": "1740000001" }, "the signature is wrong"],
  [
    "a guess, long after",
    { "x-dragoman-signature": other, "x-dragoman-timestamp": "1" },
    "the signature is wrong",
  ],
])("%s is not believed", (_, changed, expected) => {
  expect(why(changed)).toBe(expected);
});

test("another body is not believed, nor another secret", () => {
  expect(why({}, now, new TextEncoder().encode('{"a":"u"}'))).toBe("the signature is wrong");
  expect(signatureProblem("fedcba9876543210", { method: "POST", headers, body }, now)).toBe(
    "the signature is wrong",
  );
});
