import { once } from "node:events";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { ByteBudget } from "./byte-budget.js";
import { readBytes, readJson } from "./request-body.js";

function exchange(): { request: IncomingMessage; response: ServerResponse } {
  const request = new IncomingMessage(new Socket());
  return { request, response: new ServerResponse(request) };
}

async function arrives(request: IncomingMessage, bytes: number): Promise<void> {
  const arrived = once(request, "data");
  request.push(Buffer.alloc(bytes));
  await arrived;
}

test("a body that memory has no room for takes none, however much of it still comes, and gives none back", async () => {
  const budget = new ByteBudget(4);
  const { request, response } = exchange();
  const refused = expect(readBytes(request, response, 100, budget)).rejects.toMatchObject({
    refusal: { status: 503 },
  });
  await arrives(request, 5);
  await refused;
  await arrives(request, 3);
  expect(budget.reserve(4)).toBe(true);
  response.emit("close");
  expect(budget.reserve(1)).toBe(false);
});

test("what a body took before it was refused is free when the response is over", async () => {
  const budget = new ByteBudget(4);
  const { request, response } = exchange();
  const refused = expect(readBytes(request, response, 100, budget)).rejects.toMatchObject({
    refusal: { status: 503 },
  });
  await arrives(request, 3);
  await arrives(request, 2);
  await refused;
  expect(budget.reserve(2)).toBe(false);
  response.emit("close");
  expect(budget.reserve(4)).toBe(true);
});

async function readText(bytes: Buffer): Promise<unknown> {
  const { request, response } = exchange();
  const read = readJson(request, response, 100);
  request.push(bytes);
  request.push(null);
  return read;
}

test("a body is UTF-8, with or without a byte order mark", async () => {
  expect(await readText(Buffer.from('"é"'))).toBe("é");
  expect(await readText(Buffer.from('\uFEFF"é"'))).toBe("é");
  await expect(readText(Buffer.from([0x22, 0xe9, 0x22]))).rejects.toMatchObject({
    refusal: { status: 400, message: "the body is not UTF-8" },
  });
});
