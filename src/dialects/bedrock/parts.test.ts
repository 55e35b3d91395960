import { expect, test } from "vitest";
import { readGivenBlock, writeGivenBlock } from "./parts.js";

const wire = (name: string) => ({ document: { format: "pdf", name, source: { bytes: "JVBERi0=" } } });
const file = { type: "file", data: "JVBERi0=", mimeType: "application/pdf" };

test("a document's name is written as it was read, also if the API would not accept it", () => {
  expect(readGivenBlock(wire("Q3 report"))).toEqual({ ...file, name: "Q3 report" });
  const block = readGivenBlock(wire("a_b.pdf"));
  expect(block).toEqual({ ...file, name: "a_b.pdf", ext: { bedrock: { fittedName: "a-b-pdf" } } });
  expect(writeGivenBlock(block)).toEqual(wire("a_b.pdf"));
});

test("an edited name is fitted to the API", () => {
  const block = readGivenBlock(wire("a_b.pdf"));
  if (block.type !== "file") throw new Error(`read as ${block.type}`);
  expect(writeGivenBlock({ ...block, name: "c_d.pdf" })).toEqual(wire("c-d-pdf"));
});
