import { afterEach, expect, test } from "vitest";
import { ago, day, moment, month } from "../transcript/dates.js";
import { byteSize, count, dollars, duration, listed, shortCount } from "../transcript/numbers.js";
import { languageFor } from "./languages.js";
import { localeFor, setReaderLocale } from "./locale.js";
import { pluralIn } from "./plural.js";

afterEach(() => setReaderLocale("en"));

test("the language is the first of the reader's that is available", () => {
  expect(languageFor(["de-AT", "en"])).toBe("de");
  expect(languageFor(["fr-FR", "de", "en-GB"])).toBe("de");
  expect(languageFor(["fr", "C"])).toBe("en");
  expect(languageFor(["constructor", "toString"])).toBe("en");
});

test("the locale has the language of the texts and the reader's region", () => {
  expect(localeFor("en", ["de-DE", "en-GB"])).toBe("en-GB");
  expect(localeFor("en", ["de-AT", "de"])).toBe("en-AT");
  expect(localeFor("de", ["fr"])).toBe("de-FR");
  expect(localeFor("en", ["*", ""])).toBe("en");
  expect(localeFor("de", [])).toBe("de");
});

/** Narrow and unbreakable spaces differ between versions of Unicode's data. */
const plain = (text: string) => text.replace(/\s/g, " ");

test("dates and numbers are written for the reader's locale", () => {
  const time = new Date(2026, 10, 15, 15, 4).getTime();
  const written = () =>
    [
      moment(time),
      day(time),
      month(time),
      ago(time - 300_000, time),
      count(12345),
      shortCount(12_345),
      dollars(1234.5),
      dollars(0.0021),
      duration(4_240),
      byteSize(3_400_000),
      listed(["read", "write", "exec"]),
    ].map(plain);
  setReaderLocale("de-DE");
  expect(written()).toEqual([
    "15.11.2026, 15:04",
    "15.11.2026",
    "November 2026",
    "vor 5 Min.",
    "12.345",
    "12,3k",
    "1.234,50 $",
    "0,0021 $",
    "4,2 s",
    "3,4 MB",
    "read, write und exec",
  ]);
  setReaderLocale("en-GB");
  expect(written()).toEqual([
    "15 Nov 2026, 15:04",
    "15 Nov 2026",
    "November 2026",
    "5 min ago",
    "12,345",
    "12.3k",
    "$1,234.50",
    "$0.0021",
    "4.2 s",
    "3.4 MB",
    "read, write and exec",
  ]);
});

test("texts count by the rules of their language, and missing forms are the general one", () => {
  const english = pluralIn("en");
  const files = { one: "# file", other: "# files" };
  expect([0, 1, 2, 1234].map((value) => english(value, files))).toEqual([
    "0 files",
    "1 file",
    "2 files",
    "1,234 files",
  ]);
  const polish = pluralIn("pl");
  const polishFiles = { one: "# plik", few: "# pliki", many: "# plików", other: "# pliku" };
  expect([1, 3, 5, 22].map((value) => polish(value, polishFiles))).toEqual([
    "1 plik",
    "3 pliki",
    "5 plików",
    "22 pliki",
  ]);
  expect(polish(3, { other: "# ?" })).toBe("3 ?");
});
