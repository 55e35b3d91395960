import { readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const built = fileURLToPath(new URL("../../../dist/web/", import.meta.url));

/** What a page loads before anything is asked of it: what its HTML names, and what that imports at once. */
function firstLoad(page: string): string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    if (!name.endsWith(".js")) return;
    const code = readFileSync(`${built}${name}`, "utf8");
    for (const [, target = ""] of code.matchAll(
      /(?:^|[;}])\s*import\s*(?:[\w$*{}, \n]+?\s*from\s*)?"\.\/([^"]+)"/g,
    )) {
      visit(`assets/${target}`);
    }
  };
  visit(page);
  const html = readFileSync(`${built}${page}`, "utf8");
  for (const [, name = ""] of html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)) visit(name);
  return [...found];
}

test("the app's first load is at most 200 kB, compressed", () => {
  const files = firstLoad("index.html");
  expect(files.filter((name) => name.endsWith(".js")).length).toBeGreaterThan(0);
  const bytes = files.map((name) => statSync(`${built}${name}.gz`).size).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeLessThanOrEqual(200_000);
});

test("the first load is a few files, and the viewer's dialects are one more", () => {
  expect(firstLoad("index.html").length).toBeLessThanOrEqual(24);
  expect(firstLoad("view.html").length).toBeLessThanOrEqual(24);
  const hasDialects = readdirSync(`${built}assets`).filter((name) => {
    const code = name.endsWith(".js") ? readFileSync(`${built}assets/${name}`, "utf8") : "";
    return ["Claude Code session", "Codex session", "Gemini CLI session"].some((title) =>
      code.includes(title),
    );
  });
  expect(hasDialects.map((name) => name.replace(/-.*/, ""))).toEqual(["dialects"]);
});

test("colours for code are loaded when they are needed", () => {
  const code = firstLoad("index.html").map((name) => readFileSync(`${built}${name}`, "utf8"));
  expect(code.filter((text) => text.includes("registerLanguage"))).toEqual([]);
});

test("formulas are loaded when they are needed, in a file of at most 80 kB, compressed", () => {
  const code = firstLoad("index.html").map((name) => readFileSync(`${built}${name}`, "utf8"));
  expect(code.filter((text) => text.includes("renderToMathMLTree:"))).toEqual([]);
  const files = readdirSync(`${built}assets`).filter((name) => /^formula-elements-.*\.js$/.test(name));
  expect(files.length).toBe(1);
  for (const name of files) {
    expect(readFileSync(`${built}assets/${name}`, "utf8")).toContain("renderToMathMLTree:");
    expect(statSync(`${built}assets/${name}.gz`).size).toBeLessThanOrEqual(80_000);
  }
});

test("nothing names another server, and no file has a map of the sources", () => {
  const names = readdirSync(built, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(js|css|html)$/.test(name),
  );
  expect(names.length).toBeGreaterThan(4);
  const loads = /(?:src=|href=|url\(|import\(|fetch\(|@import\s)\s*["'`]?https?:\/\//;
  expect(names.filter((name) => loads.test(readFileSync(`${built}${name}`, "utf8")))).toEqual([]);
});
