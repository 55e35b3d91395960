import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TranscriptPage } from "../../../web/test-pages/transcript/page.js";
import { axeFindingsInBothSchemes } from "./axe.js";
import { browserForFile, hasBrowser, phone } from "./browser.js";
import { serveTranscriptPage } from "./transcript-page.js";

declare const window: { transcript: TranscriptPage };

const derivation = `The roots of \\(ax^2 + bx + c\\) are real if $b^2 \\ge 4ac$:

\\[
x_{1,2} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}

\\]

$$
\\begin{aligned}
\\int_0^\\infty e^{-x^2}\\,dx &= \\frac{\\sqrt{\\pi}}{2} \\\\
\\hat{f}(\\xi) &= \\int_{\\mathbb{R}} f(x)\\, e^{-2\\pi i x \\xi}\\,dx
\\end{aligned}
$$

$$
|x| = \\begin{cases} x & \\text{if } x \\ge 0 \\\\ -x & \\text{otherwise} \\end{cases}
\\qquad A = \\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}
\\qquad \\boxed{\\cancel{y} \\vec{a}}
$$

- \\(\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}\\) costs $5, not $6
- broken: \\(\\frac{a\\), and unknown: \\(\\nosuch{x}\\)
`;

const long = `\\(${Array.from({ length: 60 }, (_, at) => `x_{${at}}`).join(" + ")}\\)`;

describe.skipIf(!hasBrowser)("formulas in a browser", () => {
  const open = browserForFile();
  let served: Awaited<ReturnType<typeof serveTranscriptPage>>;
  beforeAll(async () => {
    served = await serveTranscriptPage();
  });
  afterAll(() => served.close());

  const visit = async (text: string, options = {}) => {
    const { page, troubles } = await open(served.url, options);
    await page.evaluate((content) => window.transcript.show([{ role: "user", content, timestamp: 1 }]), text);
    return { page, troubles };
  };

  test.each([
    ["on a desk", {}, 1280],
    ["on a phone", phone, 390],
  ])("are MathML, %s, in light and dark", async (_, options, width) => {
    const { page, troubles } = await visit(`${derivation}\n${long}\n`, options);
    await page.locator("math msqrt").first().waitFor();
    expect(await page.locator(".md-formula").count()).toBe(7);
    expect(await page.locator(".md-formula[data-display]").count()).toBe(3);
    // What is not a formula for the library stays as it was written.
    expect(await page.locator(".md-math").allTextContents()).toEqual(["\\(\\frac{a\\)", "\\(\\nosuch{x}\\)"]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(await axeFindingsInBothSchemes(page)).toEqual([]);
    expect(troubles).toEqual([]);
  });

  test("are copied as they were written", async () => {
    const { page } = await visit("so \\(\\sqrt{2}\\) is\n\n$$\n\\frac{a}{b}\n$$\n\nend");
    await page.locator("math").nth(1).waitFor();
    const copied = await page
      .locator(".md")
      .first()
      .evaluate((element) => {
        const found: string[] = [];
        addEventListener("copy", ({ clipboardData }) =>
          found.push(clipboardData?.getData("text/plain") ?? "", clipboardData?.getData("text/html") ?? ""),
        );
        getSelection()?.selectAllChildren(element);
        document.execCommand("copy");
        return found;
      });
    expect(copied[0]).toBe("so \\(\\sqrt{2}\\) is\n\n$$\n\\frac{a}{b}\n$$\nend");
    expect(copied[1]).toContain("\\(\\sqrt{2}\\)");
    expect(copied[1]).not.toContain("<math");
    expect(await page.locator("math").count()).toBe(2);
  });

  test("are loaded with the first one, and appear when they are complete", async () => {
    const { page } = await open(served.url);
    const loaded: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.endsWith(".js")) loaded.push(pathname);
    });
    const push = (delta: string) =>
      page.evaluate(
        (text) => window.transcript.push({ type: "text_delta", contentIndex: 0, delta: text }),
        delta,
      );
    await push("It is \\(\\sqrt{");
    await page.getByText("It is \\(\\sqrt{").waitFor();
    expect(loaded).toEqual([]);
    await push("2}\\)");
    await page.locator("math msqrt").waitFor();
    expect(loaded.map((path) => path.replace(/-[\w-]{8}\.js$/, ""))).toEqual(["/assets/formula-elements"]);
  });

  test("stay as they were written if the library cannot be loaded", async () => {
    const { page } = await open(served.url);
    await page.route("**/assets/formula-elements-*", (route) => route.abort());
    const failed = page.waitForEvent("requestfailed");
    await page.evaluate(() =>
      window.transcript.show([{ role: "user", content: "so \\(x^2\\)", timestamp: 1 }]),
    );
    await failed;
    expect(await page.locator(".md-math").textContent()).toBe("\\(x^2\\)");
  });

  test("cover nothing outside their place", async () => {
    const { page } = await visit(
      "above\n\n\\(\\raisebox{30em}{XX}\\hspace{-30em}\\rule{30em}{30em}\\)\n\nbelow",
    );
    const box = await page.locator(".md-formula").boundingBox();
    expect(box?.height).toBeLessThanOrEqual(320);
    expect(await page.locator(".md-formula").evaluate((element) => getComputedStyle(element).contain)).toBe(
      "paint",
    );
  });
});
