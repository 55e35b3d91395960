import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { pageLiterals } from "./support/page-literals.js";

const folder = fileURLToPath(new URL("../web/src/", import.meta.url));

/** What is no text of a language, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'app/sign-in.tsx: "Dragoman"': "the name of the product",
  'app/sign-in.tsx: "dgm_…"': "how a token begins",
  'app/side-bar/side-bar.tsx: "Dragoman"': "the name of the product",
  'app/settings/add-provider.tsx: "my-server"': "an example of a name, which has only ASCII letters",
  'app/settings/add-provider.tsx: "http://127.0.0.1:8000/v1"': "an example of an address",
  'app/settings/channel-settings.tsx: "main"': "the name of an agent in the configuration",
  'app/settings/channel-settings.tsx: "pairing"': "a value of the configuration",
  'app/settings/channel-settings.tsx: "mention"': "a value of the configuration",
  'app/settings/model-settings.tsx: "demo/echo"': "the name of a model",
  'viewer/pages/app-link.tsx: "Dragoman"': "the name of the product",
};

const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  (path) => /\.tsx?$/.test(path) && !/\.(test\.tsx?|d\.ts)$/.test(path) && !/^text\//.test(path),
);

test("every text of the pages, and the format of every date and number, comes from the catalogue", () => {
  const formats = ["transcript/dates.ts", "transcript/numbers.ts"];
  const found = files
    .filter((path) => !formats.includes(path))
    .flatMap((path) =>
      pageLiterals(path, readFileSync(join(folder, path), "utf8")).map((line) => ({ path, line })),
    );
  const withoutLine = ({ path, line }: { path: string; line: string }) =>
    `${path}: ${line.replace(/^\d+: /, "")}`;
  const surprises = found.filter((one) => exceptions[withoutLine(one)] === undefined);
  expect(surprises.map(({ path, line }) => `${path}:${line}`)).toEqual([]);
  const unused = Object.keys(exceptions).filter((name) => !found.some((one) => withoutLine(one) === name));
  expect(unused, "exceptions that are not needed").toEqual([]);
});

test.each([
  ["text between elements", `const a = <p>Hello {name}, you</p>;`, ['1: "Hello"', '1: ", you"']],
  [
    "a choice between elements",
    `const a = <p>{on ? "On" : kind === "off" && "Off"}</p>;`,
    ['1: "On"', '1: "Off"'],
  ],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source code
  ["a text with values", "const a = <p>{`${n} files`}</p>;", ['1: "… files"']],
  [
    "labels",
    `const a = <b title="Copy" aria-label={x ? "Cut" : y} className="big" />;`,
    ['1: "Copy"', '1: "Cut"'],
  ],
  ["labels in data", `const a = { label: "Rename", icon: "edit" };`, ['1: "Rename"']],
  ["a sentence anywhere", `throw new Error("The file is too large.");`, ['1: "The file is too large."']],
  ["a number", "const a = x.toFixed(2);", ["1: toFixed, instead of a function of dates.ts or numbers.ts"]],
  [
    "a date",
    "const a = new Intl.DateTimeFormat();",
    ["1: Intl, instead of a function of dates.ts or numbers.ts"],
  ],
  [
    "a text that is read too early",
    "const a = texts.home.title;",
    ["1: texts, before the language is loaded"],
  ],
  [
    "a text of the catalogue",
    `function a() { return <p title={texts.a}>{texts.b} · <code>ls</code></p>; }`,
    [],
  ],
])("%s would be noticed", (_, source, expected) => {
  expect(pageLiterals("a.tsx", source)).toEqual(expected);
});
