import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { formulaElements } from "./formula-elements.js";

function markup(text: string, display = false): string | undefined {
  const elements = formulaElements(text, display);
  return elements === undefined ? undefined : renderToStaticMarkup(createElement("p", null, elements));
}

test.each([
  ["x^2", '<math><msup><mi>x</mi><mn class="tml-sml-pad">2</mn></msup></math>'],
  ["\\frac{a}{b}", "<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>"],
  // Browsers ignore `mathvariant`: the letter itself is another one.
  ["\\mathbb{R}", "<math><mi>ℝ</mi></math>"],
  ["\\sqrt{2}", "<math><msqrt><mn>2</mn></msqrt></math>"],
  ["\\text{<b> \\& }", "<math><mtext>&lt;b&gt;\u00a0&amp;\u00a0</mtext></math>"],
  [
    "\\sin x",
    '<math><mrow><mrow><mi>sin</mi><mo>\u2061</mo><mspace width="0.1667em"></mspace></mrow><mi>x</mi></mrow></math>',
  ],
  ["a\\!b", '<math><mrow><mi>a</mi><mrow style="margin-left:-0.1667em"></mrow><mi>b</mi></mrow></math>'],
  ["\\rule{1em}{2em}", '<math><mspace width="1em" height="2em" class="tml-rule"></mspace></math>'],
])("%s", (text, expected) => {
  expect(markup(text)).toBe(`<p>${expected}</p>`);
});

test("a formula on a line of its own is a block", () => {
  expect(markup("x", true)).toBe('<p><math display="block" class="tml-display"><mi>x</mi></math></p>');
});

test("columns keep their alignment", () => {
  const found = markup("\\begin{aligned}a&=b\\end{aligned}", true) ?? "";
  expect([...found.matchAll(/<mtd [^>]*class="([^"]+)"/g)].map(([, name]) => name)).toEqual([
    "tml-right",
    "tml-left",
  ]);
});

test.each([
  ["a command that does not exist", "\\nosuch x"],
  ["an open group", "\\frac{a"],
  ["a link", "\\href{javascript:alert(1)}{x}"],
  ["a link to the web", "\\href{https://x.example}{x}"],
  ["an address", "\\url{https://x.example}"],
  ["an image", "\\includegraphics{https://x.example/p.png}"],
  ["a class", "\\class{button}{x}"],
  ["KaTeX's class", "\\htmlClass{button}{x}"],
  ["a style", "\\style{position:fixed}{x}"],
  ["an id", "\\id{root}{x}"],
  ["data", "\\data{a=b}{x}"],
  ["a reference", "\\ref{x}"],
  ["a definition", "\\def\\a{x}\\a"],
  ["a definition in a group", "{\\gdef\\a{x}}\\a"],
  ["a new command", "\\newcommand{\\a}{x}\\a"],
  ["an alias", "\\let\\a=b\\a"],
  ["an endless definition", "\\def\\a{\\a\\a}\\a"],
  ["a definition of millions of elements", `\\def\\a{${"x".repeat(3_000)}}${"\\a".repeat(900)}`],
  ["what is built twice at each level", `${"\\llap{".repeat(40)}x${"}".repeat(40)}`],
  ["what is built more often", `${"\\cancelto{a}{".repeat(40)}x${"}".repeat(40)}`],
  ["a hundred columns", "\\begin{alignedat}{100}a&=b\\end{alignedat}"],
  ["columns by another spelling", "\\begin{aligned at}{9 9 9}a&=b\\end{alignedat}"],
  ["what stands over its neighbours", "\\mathllap{xxxxxxxx}"],
  ["a mirror", "\\reflectbox{x}"],
  ["a large height", "\\rule{1em}{9999em}"],
  ["a large shift", "\\raisebox{9999em}{x}"],
  ["a large step back", "\\hspace{-50cm}x"],
  ["deep nesting", `${"\\sqrt{".repeat(120)}x${"}".repeat(120)}`],
  ["nesting too deep for the stack", `${"{".repeat(2_400)}x${"}".repeat(2_400)}`],
  ["a long source", "x".repeat(5_001)],
  ["an object's own names", "\\begin{constructor}x\\end{constructor}"],
])("%s is shown as source", (_, text) => {
  const start = performance.now();
  expect(formulaElements(text, false)).toBeUndefined();
  // Without the limits, the worst one lasts for seconds.
  expect(performance.now() - start).toBeLessThan(1_000);
});

test("few columns are shown", () => {
  expect(markup("\\begin{alignedat}{2}a&=b\\end{alignedat}")).toContain("<mtable");
});

test("`\\left` is not `\\let`", () => {
  expect(markup("\\left( x \\right)")).toContain('stretchy="true">(</mo>');
});

test("a formula has no colours, and nothing is hidden in it", () => {
  expect(markup("\\color{white}x")).toBe("<p><math><mrow><mi>x</mi></mrow></math></p>");
  expect(markup("\\text{a\u202eb}")).toBe("<p><math><mtext>a⟨U+202E⟩b</mtext></math></p>");
  expect(markup('\\char"202e')).toBe("<p><math><mi>⟨U+202E⟩</mi></math></p>");
});

test("definitions of one formula are unknown in the next", () => {
  formulaElements("\\global\\let\\zz=b", false);
  expect(formulaElements("\\zz", false)).toBeUndefined();
});
