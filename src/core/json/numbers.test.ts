import { describe, expect, test } from "vitest";
import { findInexactNumbers } from "./numbers.js";

describe("findInexactNumbers", () => {
  test.each([
    "12345678901234567890",
    "9007199254740993",
    "-9007199254740993",
    "0.1234567890123456789",
    "9007199254740993e-3",
    "1e400",
    "-1E+400",
    "1e-400",
    "4.9406564584124655e-324",
    "-0",
    "-0.0",
    "-0e5",
    "-0.000000000000000000",
    "-1e-999",
    "1234567890.12345678901",
    "123456789012345678e10",
    "1e99999999999999999999",
    "0.1e0000000000000000000400",
  ])("%s is lost", (source) => {
    expect(findInexactNumbers(source)).toEqual([{ offset: 0, source }]);
    expect(findInexactNumbers(` ${source}`)).toEqual([{ offset: 1, source }]);
    expect(findInexactNumbers(`[${source}]`)).toEqual([{ offset: 1, source }]);
    expect(findInexactNumbers(`{"a": ${source} }`)).toEqual([{ offset: 6, source }]);
    expect(findInexactNumbers(`[1,${source},2]`)).toEqual([{ offset: 3, source }]);
  });

  test.each([
    "0",
    "-1",
    "1.0",
    "1e2",
    "100",
    "-0.5",
    "-0.5e-7",
    "9007199254740992",
    "0.1",
    "0.1000000000000000000000",
    "0.30000000000000004",
    "100000000000000000000",
    "1e21",
    "1E+0021",
    "1e308",
    "0e999",
    "0.0000000000000000000000000",
    "5e-324",
    "1.7976931348623157e308",
    "123456789012345",
    "999999999999999e99",
    "0.000000000000001e-99",
    "1.0000000000000000000",
  ])("%s survives", (source) => {
    expect(findInexactNumbers(source)).toEqual([]);
    expect(findInexactNumbers(`{"a":[${source},${source}]}`)).toEqual([]);
  });

  test("finds all of them, in order", () => {
    expect(findInexactNumbers('{"a":1e400,"b":[0.5,-0],"c":\n12345678901234567}')).toEqual([
      { offset: 5, source: "1e400" },
      { offset: 20, source: "-0" },
      { offset: 29, source: "12345678901234567" },
    ]);
  });

  test("digits in strings and keys are not numbers", () => {
    const text =
      '{"12345678901234567890":"x, -0, 1e400 \\" 12345678901234567890 \\\\","b":[": 9007199254740993"]}';
    expect(findInexactNumbers(text)).toEqual([]);
    expect(findInexactNumbers(`${text.slice(0, -1)},"c":-0}`)).toEqual([{ offset: 97, source: "-0" }]);
  });

  test("a string full of what looks like numbers takes linear time", () => {
    const text = `["${"1e9999".repeat(500_000)}","${"\\\\".repeat(500_000)}",1e400]`;
    expect(findInexactNumbers(text)).toEqual([{ offset: 4_000_007, source: "1e400" }]);
  });

  test("a literal of a million digits takes linear time", () => {
    const source = `0.${"0".repeat(1_000_000)}1`;
    expect(findInexactNumbers(`[${source}]`)).toEqual([{ offset: 1, source }]);
    expect(findInexactNumbers(`[1.${"0".repeat(1_000_000)}]`)).toEqual([]);
  });
});
