import { SignatureV4 } from "@smithy/signature-v4";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type AwsKeys, signAws } from "../../../src/providers/hosts/aws-signature.js";
import { Sha256 } from "../../fakes/bedrock-server.js";

const NOW = Date.parse("2026-03-04T05:06:07.089Z");

/** The headers with which the signer of the AWS SDKs sends the same request. */
async function theirs(
  url: string,
  headers: Record<string, string>,
  body: string,
  keys: AwsKeys,
  region: string,
) {
  const { protocol, hostname, host, pathname, searchParams } = new URL(url);
  const signer = new SignatureV4({ service: "bedrock", region, credentials: keys, sha256: Sha256 });
  const signed = await signer.sign(
    {
      method: "POST",
      protocol,
      hostname,
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: { ...headers, host },
      body,
    },
    { signingDate: new Date(NOW) },
  );
  const { host: _, ...rest } = signed.headers;
  return rest;
}

async function ours(
  url: string,
  headers: Record<string, string>,
  body: string,
  keys: AwsKeys,
  region: string,
) {
  return (await signAws({ url, headers, body }, keys, { region, service: "bedrock" }, NOW)).headers;
}

const keys = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
const json = { "content-type": "application/json" };

test.each([
  ["a model", "https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.nova-pro-v1%3A0/converse-stream"],
  [
    "an ARN",
    "https://bedrock-runtime.us-east-1.amazonaws.com/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A123456789012%3Ainference-profile%2Fus.anthropic.claude-opus-4-6-v1/converse-stream",
  ],
  ["another port", "http://127.0.0.1:8080/model/m/converse-stream"],
  ["a query", "https://proxy.test/model/m/converse-stream?b=2&a=1%20x&c="],
])("the signature for %s is that of the AWS SDKs", async (_, url) => {
  const body = '{"messages":[{"role":"user","content":[{"text":"é"}]}]}';
  expect(await ours(url, json, body, keys, "us-east-1")).toEqual(
    await theirs(url, json, body, keys, "us-east-1"),
  );
});

test("the session token and further headers are signed as well", async () => {
  const url = "https://bedrock-runtime.eu-west-1.amazonaws.com/model/m/converse-stream";
  const session = { ...keys, sessionToken: "FwoGZXIvYXdzEXAMPLE//token==" };
  const headers = { ...json, "x-custom": "  a   b  ", "user-agent": "mine" };
  const signed = await ours(url, headers, "{}", session, "eu-west-1");
  expect(signed).toEqual(await theirs(url, headers, "{}", session, "eu-west-1"));
  expect(signed["authorization"]).toContain(
    "SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token;x-custom,",
  );
});

test("so is any other", async () => {
  let signatures = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.string({ minLength: 1 }),
      fc.string(),
      fc.stringMatching(/^[A-Za-z0-9+/]{20,40}$/),
      fc.constantFrom("us-east-1", "ap-southeast-2"),
      async (model, body, secretAccessKey, region) => {
        const url = `https://bedrock-runtime.${region}.amazonaws.com/model/${encodeURIComponent(model)}/converse-stream`;
        const some = { accessKeyId: "AKIDEXAMPLE", secretAccessKey };
        expect(await ours(url, json, body, some, region)).toEqual(
          await theirs(url, json, body, some, region),
        );
        signatures++;
      },
    ),
    { numRuns: 60 },
  );
  expect(signatures).toBe(60);
});
