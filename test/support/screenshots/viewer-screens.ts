import type { Page } from "playwright-core";
import type { Screen, Stage } from "./stage.js";

type Panel = keyof Stage["texts"]["viewer"]["panelNames"];

/** The viewer without a transcript; a page that shows one already keeps it. */
async function openViewer(page: Page, { app, file }: Stage): Promise<void> {
  if (page.url() !== `${app}/view` || (await page.locator(".row").count()) === 0) {
    await page.goto(`${app}/view`);
    await page.locator("input[type=file]").setInputFiles(file);
  }
  await page.locator(".row").first().waitFor();
}

async function openPanel(page: Page, stage: Stage, panel: Panel): Promise<void> {
  await openViewer(page, stage);
  const { panelNames, panels } = stage.texts.viewer;
  const button = page
    .getByRole("navigation", { name: panels })
    .getByRole("button", { name: panelNames[panel] });
  if ((await button.getAttribute("aria-expanded")) !== "true") await button.click();
}

const panel =
  (name: Panel): Screen =>
  (page, stage) =>
    openPanel(page, stage, name);

/** Every screen of the viewer, by name. */
export const viewerScreens = {
  "viewer-start": async (page, { app, texts }) => {
    await page.goto(`${app}/view`);
    await page.getByRole("heading", { name: texts.viewer.start.title }).waitFor();
  },
  viewer: openViewer,
  "viewer-find": async (page, stage) => {
    await openViewer(page, stage);
    await page.getByRole("searchbox").fill("line");
    await page.locator(".viewer-found").getByText(/\d/).waitFor();
  },
  "viewer-outline": panel("outline"),
  "viewer-problems": panel("problems"),
  "viewer-branches": panel("branches"),
  "viewer-json": async (page, stage) => {
    await openPanel(page, stage, "message");
    await page.locator("body").press("j");
    await page.locator(".viewer-json").waitFor();
  },
  "viewer-convert": async (page, stage) => {
    await openPanel(page, stage, "convert");
    await page.getByLabel(stage.texts.viewer.convert.to).selectOption("cline");
    await page.getByRole("list", { name: stage.texts.viewer.losses.label }).waitFor();
  },
  "viewer-targets": async (page, stage) => {
    await openPanel(page, stage, "convert");
    await page.locator(".viewer-targets").waitFor();
    await page.getByRole("heading", { name: stage.texts.viewer.targets.title }).scrollIntoViewIfNeeded();
  },
  "viewer-shortcuts": async (page, stage) => {
    await openViewer(page, stage);
    await page.getByRole("button", { name: stage.texts.viewer.keys.title }).click();
    await page.getByRole("dialog").waitFor();
  },
  "viewer-failure": async (page, { app }) => {
    await page.goto(`${app}/view`);
    const buffer = Buffer.from("Dear diary,\nnothing here is a transcript.\n");
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "diary.txt", mimeType: "text/plain", buffer });
    await page.getByRole("alert").waitFor();
  },
} satisfies Record<string, Screen>;
