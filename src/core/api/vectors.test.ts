import { expect, test } from "vitest";
import { decodeVector, encodeVector, readDimensions, readVector } from "./vectors.js";

test("a vector is base64 of little-endian 32-bit floats", () => {
  expect(encodeVector([1, 0.5, -2])).toBe("AACAPwAAAD8AAADA");
  expect(decodeVector("AACAPwAAAD8AAADA")).toEqual([1, 0.5, -2]);
  expect(encodeVector([])).toBe("");
});

test("a long vector survives the round trip", () => {
  const vector = Array.from({ length: 5000 }, (_, index) => Math.fround(index / 7));
  expect(decodeVector(encodeVector(vector))).toEqual(vector);
});

test.each(["%", "AAA=", "AACAPwA="])("%s is not a vector", (text) => {
  expect(decodeVector(text)).toBeUndefined();
});

test("vectors of an answer are numbers, or base64", () => {
  expect(readVector([1, 2.5], "/a")).toEqual([1, 2.5]);
  expect(readVector("AACAPw==", "/a")).toEqual([1]);
});

test.each([[[1, "2"]], [[null]], ["%"], [undefined], [{}]])("%j in an answer is an error", (value) => {
  expect(() => readVector(value, "/data/0/embedding")).toThrow(
    expect.objectContaining({
      code: "provider/bad-response",
      message: "expected a list of numbers at /data/0/embedding",
    }),
  );
});

test.each([0, -1, 1.5, "3", true])("%j is not a number of dimensions", (value) => {
  expect(() => readDimensions(value, "/dimensions")).toThrow(
    expect.objectContaining({ code: "model/invalid", at: "/dimensions" }),
  );
});
