import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { convert } from "../../../src/convert/convert.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { axeFindings } from "./axe.js";
import { browserForFile, hasBrowser, phone } from "./browser.js";

const open = browserForFile();
const fixtures = new URL("../../../conformance/html/", import.meta.url);

/** The address of the page of these fixtures. */
async function pageOf(...names: string[]): Promise<string> {
  const input = names.map((name) => readFileSync(new URL(`${name}.jsonl`, fixtures), "utf8")).join("");
  const { output } = await convert(input, { from: "openclaw", to: "html" });
  const path = join(temporaryFolder(), "page.html");
  writeFileSync(path, output);
  return pathToFileURL(path).href;
}

describe.skipIf(!hasBrowser)("an HTML page", () => {
  test("shows text as it was typed, and runs and loads nothing", async () => {
    const { page, troubles } = await open(await pageOf("markup-in-text"));
    const [user] = await page.locator("article.user .text").allTextContents();
    expect(user).toBe(
      "<script>alert('x')</script><img src=x onerror=alert(1)>\n</blockquote><h2>System</h2>\n<!-- never closed\n<https://example.test/a> `<b>` a < b && c > d",
    );
    expect(await page.locator("article").count()).toBe(4);
    expect(await page.locator("script, iframe, img").count()).toBe(0);
    expect(troubles).toEqual([]);
  });

  test("needs no scripts", async () => {
    const { page } = await open(await pageOf("tool-loop"), { javaScriptEnabled: false });
    await page.getByText("There is no `a.txt`; did you mean `a.md`?").waitFor();
    await page.getByText("ENOENT: no such file").waitFor();
  });

  test("shows embedded images", async () => {
    const { page, troubles } = await open(await pageOf("media"));
    const width = await page
      .locator("img")
      .first()
      .evaluate((image: HTMLImageElement) => image.naturalWidth);
    expect(width).toBe(2);
    expect(troubles).toEqual([]);
  });

  test.each(["light", "dark"] as const)(
    "is accessible in %s colours, and fits on a phone",
    async (colorScheme) => {
      const { page } = await open(
        await pageOf("plain-talk", "tool-loop", "thinking", "media", "failures", "other-roles"),
        {
          ...phone,
          colorScheme,
        },
      );
      expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
        { light: "rgb(251, 250, 248)", dark: "rgb(22, 23, 26)" }[colorScheme],
      );
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
      ).toBeLessThanOrEqual(0);
      expect(await axeFindings(page)).toEqual([]);
    },
  );

  test("is printed in full, dark on light", async () => {
    const { page } = await open(await pageOf("fences"), { colorScheme: "dark" });
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    const shown = await page
      .locator(".code")
      .first()
      .evaluate((box) => getComputedStyle(box).maxHeight);
    expect(shown).toBe("none");
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      "rgb(255, 255, 255)",
    );
    expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe("rgb(31, 30, 27)");
  });
});
