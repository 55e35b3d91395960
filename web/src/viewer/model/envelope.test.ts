import { expect, test } from "vitest";
import { envelopeHead, openEnvelope } from "./envelope.js";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (one: Uint8Array) => new TextDecoder().decode(one);

test("an envelope says what it holds", () => {
  const { name, from, bytes: held } = openEnvelope(bytes('{"name":"a.jsonl","dialect":"pi"}\n{"x":1}\n\n'));
  expect([name, from, text(held)]).toEqual(["a.jsonl", "pi", '{"x":1}\n\n']);
});

test("a name with line breaks stays on its line", () => {
  const head = envelopeHead({ name: "a\nb" });
  expect(head).toBe('{"name":"a\\nb"}\n');
  expect(openEnvelope(bytes(`${head}…`))).toEqual({ name: "a\nb", bytes: bytes("…") });
});

test.each(["7", "null", '{"name":7}'])("%s says nothing", (about) => {
  expect(openEnvelope(bytes(`${about}\n`))).toEqual({ name: "transcript", bytes: bytes("") });
});
