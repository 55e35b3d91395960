import type { Page } from "playwright-core";
import { expect } from "vitest";

/** As a reader goes there: while rows are still measured, what scrolls by itself is no reader. */
export async function toStart(page: Page): Promise<void> {
  const scroller = page.locator(".transcript-scroller");
  await scroller.focus();
  await expect
    .poll(
      async () => {
        await page.keyboard.press("Home");
        return scroller.evaluate(({ scrollTop }) => scrollTop);
      },
      // What comes before may have to be loaded first, a page at a time.
      { timeout: 30_000 },
    )
    .toBe(0);
}

/** Scrolls by the height of the page until the end, and looks at each stop. */
async function walk(page: Page, look: () => Promise<void>): Promise<void> {
  const scroller = page.locator(".transcript-scroller");
  await toStart(page);
  for (;;) {
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    await look();
    const moved = await scroller.evaluate((element) => {
      const before = element.scrollTop;
      element.scrollTop += element.clientHeight;
      return element.scrollTop > before;
    });
    if (!moved) return;
  }
}

/** Reads a transcript from its beginning with everything unfolded, finds nothing in it that could do something, and returns its text. */
export async function readWhatAttacks(page: Page): Promise<string> {
  let text = "";
  await walk(page, async () => {
    for (let closed = page.locator('.fold-summary[aria-expanded="false"]'); (await closed.count()) > 0; ) {
      await closed.evaluateAll((buttons) => {
        for (const button of buttons) if (button instanceof HTMLElement) button.click();
      });
    }
    const { shown, ...found } = await whatCouldAct(page);
    expect(found).toEqual({ elements: [], handlers: [], addresses: [] });
    text += shown;
  });
  return text;
}

/** Elements that text must not become, handlers, and addresses that lead elsewhere than the web. */
export function whatCouldAct(page: Page) {
  return page.locator("#root").evaluate((root) => {
    const forbidden =
      "script, iframe, object, embed, form[action], base, meta, link, style, video, :not(.md-formula) > math, math [href]";
    const all = [...root.querySelectorAll("*")];
    return {
      elements: [
        ...root.querySelectorAll(forbidden),
        ...[...root.querySelectorAll("math *")].filter(
          ({ namespaceURI }) => namespaceURI !== "http://www.w3.org/1998/Math/MathML",
        ),
      ].map(({ outerHTML }) => outerHTML),
      handlers: all
        .filter(({ attributes }) => [...attributes].some(({ name }) => name.startsWith("on")))
        .map(({ outerHTML }) => outerHTML),
      addresses: all
        .flatMap((element) => [element.getAttribute("href") ?? "", element.getAttribute("src") ?? ""])
        .filter((address) => !/^($|#|https?:|mailto:|data:image\/(png|jpeg|gif|webp);)/.test(address)),
      shown: root.textContent,
    };
  });
}
