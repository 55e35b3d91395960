import { expect, test } from "vitest";
import type { Texts } from "./en.js";
import { type LanguageName, languageNames, languages } from "./languages.js";
import { viewerLanguages } from "./viewer-texts.js";

/** Every text by its path: `home.title`. Functions are called with marks in place of values. */
function textsOf(value: unknown, path = ""): [path: string, text: string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") {
    return [[path, String(value(...Array.from({ length: value.length }, (_, at) => `⟨${at}⟩`)))]];
  }
  const entries = Object.entries(Object(value));
  return entries.flatMap(([name, child]) => textsOf(child, path === "" ? name : `${path}.${name}`));
}

/** Its values, elements and code, sorted: languages order words differently. A mark that is counted becomes NaN. */
function marksOf(text: string): string[] {
  return (text.match(/⟨\d⟩|NaN|\{\w+\}|`[^`]+`/g) ?? []).sort();
}

async function textsIn(name: LanguageName): Promise<[path: string, text: string][]> {
  return textsOf({ ...(await languages[name].load()), viewer: await viewerLanguages[name]() });
}

const english = await textsIn("en");

/** Texts that are the same in German. */
const same = [
  ...["Agent", "Agent: ⟨0⟩", "Alt", "Audio", "Budgets", "Chat", "Esc", "Format", "JSON", "Name"],
  ...["System", "Token", "Tokens"],
];

test.each(languageNames.filter((name) => name !== "en"))(
  "%s has every text, with its values",
  async (name) => {
    const texts = new Map(await textsIn(name));
    const marks = (all: Iterable<[string, string]>) => [...all].map(([path, text]) => [path, marksOf(text)]);
    expect(marks(texts)).toEqual(marks(english));
    expect([...texts].filter(([, text]) => text !== text.trim())).toEqual([]);
  },
);

test("no text of German was forgotten in English", async () => {
  const texts = new Map(await textsIn("de"));
  const found = english.flatMap(([path, text]) =>
    texts.get(path) === text && /\p{L}{2}/u.test(text) ? [text] : [],
  );
  expect([...new Set(found)].sort()).toEqual(same);
});

test("a language without one of the texts is a type error", () => {
  // @ts-expect-error the other texts are missing
  const incomplete: Texts["controls"] = { add: "Aldoni" };
  expect(incomplete).toEqual({ add: "Aldoni" });
});
