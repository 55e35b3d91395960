import { expect, test } from "vitest";
import { Pairing, type Verdict } from "./pairing.js";

/** Calls as `+id`, results as `-id`, other messages as `.`; calls of one message are joined by commas. */
function pair(script: string): string[] {
  const pairing = new Pairing<number>();
  const steps = script.split(" ");
  const verdicts = steps.flatMap((step, spot) => {
    const half = (text: string) => ({ id: text.slice(1), name: "read", spot });
    if (step.startsWith("-")) return [...pairing.result(half(step))];
    return [...pairing.turn(step === "." ? [] : step.split(",").map(half))];
  });
  return [...verdicts, ...pairing.finish()].map(words);
}

function words(verdict: Verdict<number>): string {
  if (verdict.kind === "answered")
    return `${verdict.result.spot} answers ${verdict.call.spot} ${verdict.when}`;
  const half = "call" in verdict ? verdict.call : verdict.result;
  return `${half.spot} ${verdict.kind}`;
}

test.each([
  ["+a,+b -b -a", ["1 answers 0 in time", "2 answers 0 in time"]],
  ["+a . -a", ["2 answers 0 late"]],
  ["-a . +a .", ["0 answers 2 early"]],
  ["-a +a -a", ["2 answers 1 in time", "0 orphan result"]],
  ["+a", ["0 unanswered"]],
  ["+a -a -a", ["1 answers 0 in time", "2 duplicate result"]],
  ["+a +a -a -a", ["1 duplicate id", "2 answers 1 in time", "3 answers 0 late"]],
  ["+a,+a -a -a", ["0 duplicate id", "1 answers 0 in time", "2 answers 0 in time"]],
  ["-x", ["0 orphan result"]],
  ["+,+ - -", ["1 answers 0 in time", "2 answers 0 in time"]],
  ["+a -", ["1 answers 0 in time"]],
  ["+a,+b -", ["1 orphan result", "0 unanswered", "0 unanswered"]],
  ["- +", ["0 orphan result", "1 unanswered"]],
])("%s", (script, expected) => expect(pair(script)).toEqual(expected));

test("a spot is settled when it must be remembered beyond the next message", () => {
  const settled: string[] = [];
  const pairing = new Pairing<string>((spot) => {
    settled.push(spot);
    return spot;
  });
  const half = (id: string) => ({ id, name: "read", spot: id });
  for (const verdicts of [
    pairing.turn([half("a"), half("b")]),
    pairing.result(half("a")),
    pairing.turn([]),
  ]) {
    expect([...verdicts].filter(({ kind }) => kind !== "answered")).toEqual([]);
  }
  expect(settled).toEqual(["b"]);
});
