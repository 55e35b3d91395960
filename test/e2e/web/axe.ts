import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds on a page that is serious or worse, a line for each place; empty when all is well. */
export async function axeFindings(page: Page): Promise<string[]> {
  // Evaluated from outside, so that the page's policy can stay as it is.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(source);
  return findings(page, {});
}

/** The same in light and in dark colours. The second run looks at colours only, for nothing else has changed. */
export async function axeFindingsInBothSchemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const light = await axeFindings(page);
  await page.emulateMedia({ colorScheme: "dark" });
  return [...light, ...(await findings(page, { runOnly: ["color-contrast", "link-in-text-block"] }))];
}

async function findings(page: Page, options: RunOptions): Promise<string[]> {
  const all = JSON.stringify({ resultTypes: ["violations"], selectors: false, ...options });
  const results: AxeResults = await page.evaluate(`axe.run(${all})`);
  return results.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
