import { expect, test } from "vitest";
import { groupLines } from "./group-lines.js";
import { kindOf } from "./wire.js";

/** For each line: the numbers of the lines of the message that it begins, `earlier`, or `alone`. */
function grouped(...records: Record<string, unknown>[]): string[] | undefined {
  const unit = records.map((record, index) => ({ record, index }));
  const groups = groupLines(unit, records.map(kindOf));
  return groups && records.map((_, at) => nameOf(groups[at]));
}

function nameOf(lines: readonly { index: number }[] | "earlier" = []): string {
  if (lines === "earlier") return lines;
  return lines.length === 0 ? "alone" : lines.map(({ index }) => index).join(" ");
}

function answer(id: string, uuid?: string, isSidechain = false) {
  return { type: "assistant", uuid, isSidechain, message: { id } };
}

const [first, second, third] = [answer("m", "u1"), answer("m", "u2"), answer("m", "u3")];
const note = { type: "system", uuid: "n" };

test("the lines of an answer are one group, with or without other lines between them", () => {
  expect(grouped(first, second, third)).toEqual(["0 1 2", "earlier", "earlier"]);
  expect(grouped(first, note, second)).toEqual(["0 2", "alone", "earlier"]);
});

test("lines of different answers, or of a sub-agent's with the same id, are not", () => {
  expect(grouped(first)).toBeUndefined();
  expect(grouped(first, answer("other", "u2"))).toBeUndefined();
  expect(grouped(first, answer("m", "u2", true))).toBeUndefined();
  expect(grouped(first, answer("m", "s1", true), second, answer("m", "s2", true))).toEqual([
    "0 2",
    "1 3",
    "earlier",
    "earlier",
  ]);
});

test("a repeated line starts a new answer, to which the next lines belong", () => {
  expect(grouped(first, second, first, third)).toEqual(["0 1", "earlier", "2 3", "earlier"]);
  expect(grouped(answer("m"), answer("m"))).toBeUndefined();
});

test("a repeated line is found among many", () => {
  const lines = Array.from({ length: 20 }, (_, index) => answer("m", `u${index}`));
  const again = grouped(...lines, answer("m", "u3"), answer("m", "u19"), answer("m", "u3"));
  expect(again?.slice(19)).toEqual(["earlier", "20 21", "earlier", "alone"]);
});
