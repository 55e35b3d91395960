import type { Page } from "playwright-core";
import { ASKING_TITLE, TITLE } from "./sample.js";
import { FOREIGN_ID, FOREIGN_TITLE } from "./sample-home.js";

/** Where the pages are. */
export interface Addresses {
  /** The gateway, without a token. */
  app: string;
  /** The gateway, with a token. */
  link: string;
  /** The viewer, with a transcript. */
  viewer: string;
}

/** A call that has to be allowed; it stays open for all pictures after the first that needs it. */
const ASKING = `call: edit ${JSON.stringify({
  file_path: "src/login.ts",
  edits: [{ old_string: "const retries = 1;", new_string: "const retries = 3;" }],
})}

---
say: Done.`;

async function openApp(page: Page, { link }: Addresses): Promise<void> {
  await page.goto(link);
  await page.getByRole("heading", { name: "Recent sessions" }).waitFor();
}

async function openDrawer(page: Page): Promise<void> {
  const drawer = page.getByRole("button", { name: "Open the side bar" });
  if (await drawer.isVisible()) await drawer.click();
}

/** Has an agent ask for permission, once for all pictures. */
async function haveAsked(page: Page, addresses: Addresses): Promise<void> {
  await openApp(page, addresses);
  const question = page.getByText("Allow edit to run?").first();
  await page.getByText("wants to talk to your agent").waitFor();
  if ((await question.count()) > 0) return;
  await openDrawer(page);
  await page.getByRole("navigation").getByRole("link", { name: ASKING_TITLE }).click();
  await page.getByText("Logins fail at the first hiccup.").waitFor();
  const field = page.getByRole("textbox", { name: "Write a message" });
  await field.fill(ASKING);
  await field.press("Enter");
  await question.waitFor();
}

const settings = (section: string) => async (page: Page, addresses: Addresses) => {
  await openApp(page, addresses);
  await page.goto(`${addresses.app}/#/settings`);
  await page.getByRole("link", { name: section }).click();
  await page.getByRole("heading", { name: section, level: 2 }).waitFor();
};

const viewer = (panel: string) => async (page: Page, addresses: Addresses) => {
  await page.goto(addresses.viewer);
  await page.locator(".row").first().waitFor();
  const button = page.getByRole("navigation").getByRole("button", { name: panel });
  if ((await button.getAttribute("aria-expanded")) !== "true") await button.click();
};

async function openChat(page: Page, addresses: Addresses): Promise<void> {
  await openApp(page, addresses);
  await openDrawer(page);
  await page.getByRole("navigation").getByRole("link", { name: TITLE }).click();
  await page.locator(".hl-keyword").first().waitFor();
}

/** Opens a dialog from the menu of the session that is shown. */
const sessionDialog = (item: string) => async (page: Page, addresses: Addresses) => {
  await openChat(page, addresses);
  await page
    .locator("header")
    .getByRole("button", { name: /^Menu for/ })
    .click();
  await page.getByRole("menuitem", { name: item }).click();
  await page.getByRole("dialog").getByRole("combobox").first().waitFor();
};

async function openForeign(page: Page, addresses: Addresses): Promise<void> {
  await openApp(page, addresses);
  await page.goto(`${addresses.app}/#/foreign/claude-code/${FOREIGN_ID}`);
  await page.getByRole("log").getByText(FOREIGN_TITLE).waitFor();
}

/** Every screen, by name. */
export const screens = {
  "sign-in": async (page, { app }) => {
    await page.goto(app);
    await page.getByRole("textbox").waitFor();
  },
  start: openApp,
  home: async (page, addresses) => {
    await haveAsked(page, addresses);
    await page.goto(`${addresses.app}/#/`);
    await page.getByText("Allow edit to run?").first().waitFor();
    // The list follows a moment later; on a phone it is hidden.
    await page.getByText("needs you").first().waitFor({ state: "attached" });
  },
  chat: openChat,
  permission: async (page, addresses) => {
    await haveAsked(page, addresses);
    await page.goto(`${addresses.app}/#/`);
    await openDrawer(page);
    await page
      .getByRole("navigation")
      .getByRole("link", { name: /^needs you/ })
      .click();
    await page.getByText("Allow edit to run?").first().waitFor();
  },
  menu: async (page, addresses) => {
    await openChat(page, addresses);
    await openDrawer(page);
  },
  "model-menu": async (page, addresses) => {
    await openApp(page, addresses);
    await page.getByRole("button", { name: /^Model:/ }).click();
    await page.getByRole("menu").waitFor();
  },
  search: async (page, addresses) => {
    await openApp(page, addresses);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("line");
    await page.locator("mark").first().waitFor();
  },
  "settings-models": settings("Models"),
  "settings-agents": settings("Agents"),
  "settings-channels": settings("Channels"),
  "settings-tokens": settings("Tokens"),
  "settings-browser": settings("This browser"),
  usage: async (page, addresses) => {
    await openApp(page, addresses);
    await page.goto(`${addresses.app}/#/usage`);
    await page.getByRole("table").waitFor();
  },
  sessions: async (page, addresses) => {
    await openApp(page, addresses);
    await page.goto(`${addresses.app}/#/sessions`);
    await page.getByRole("main").getByRole("link", { name: FOREIGN_TITLE }).waitFor();
  },
  foreign: openForeign,
  continue: async (page, addresses) => {
    await openForeign(page, addresses);
    await page.getByRole("button", { name: "Continue in…" }).click();
    await page.getByRole("dialog").getByLabel("Program").selectOption("codex");
    await page.getByRole("table", { name: "What is lost or changed" }).waitFor();
  },
  export: async (page, addresses) => {
    await sessionDialog("Export…")(page, addresses);
    await page.getByRole("dialog").getByLabel("Format").selectOption("cline");
    await page.getByRole("table", { name: "What is lost or changed" }).waitFor();
  },
  share: async (page, addresses) => {
    await sessionDialog("Share…")(page, addresses);
    await page.getByRole("button", { name: "Create link" }).click();
    await page.getByRole("dialog").locator("code").waitFor();
  },
  shared: async (page, addresses) => {
    await sessionDialog("Share…")(page, addresses);
    await page.getByRole("button", { name: "Create link" }).click();
    const link = await page.getByRole("dialog").locator("code").textContent();
    await page.goto("about:blank");
    await page.goto(link ?? "");
    await page.getByText("read-only").waitFor();
  },
  "usage-of-session": async (page, addresses) => {
    await openChat(page, addresses);
    await page.getByRole("button", { name: /tokens/ }).click();
    await page.getByRole("dialog").waitFor();
  },
  shortcuts: async (page, addresses) => {
    await openChat(page, addresses);
    await page.getByRole("textbox", { name: "Write a message" }).press("Escape");
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
  },
  attachments: async (page, addresses) => {
    await openChat(page, addresses);
    const file = (name: string, mimeType: string) => ({ name, mimeType, buffer: Buffer.from("one,two") });
    await page
      .getByLabel("Files", { exact: true })
      .setInputFiles([file("measurements.csv", "text/csv"), file("report.pdf", "application/pdf")]);
    await page.getByRole("list", { name: "Attachments" }).waitFor();
  },
  "no-session": async (page, addresses) => {
    await openApp(page, addresses);
    await page.goto(`${addresses.app}/#/session/NOSUCH`);
    await page.getByRole("alert").waitFor();
  },
  "viewer-start": async (page, { app }) => {
    await page.goto(`${app}/view`);
    await page.getByRole("heading", { name: "View a transcript" }).waitFor();
  },
  viewer: async (page, { viewer: address }) => {
    await page.goto(address);
    await page.locator(".row").first().waitFor();
  },
  "viewer-outline": viewer("Outline"),
  "viewer-problems": viewer("Problems"),
  "viewer-json": async (page, addresses) => {
    await viewer("JSON")(page, addresses);
    await page.locator("body").press("j");
  },
  "viewer-convert": async (page, addresses) => {
    await viewer("Convert")(page, addresses);
    await page.getByLabel("Convert to").selectOption("cline");
    await page.getByRole("list", { name: "Losses" }).waitFor();
  },
  "viewer-failure": async (page, { app }) => {
    await page.goto(`${app}/view`);
    const buffer = Buffer.from("Dear diary,\nnothing here is a transcript.\n");
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "diary.txt", mimeType: "text/plain", buffer });
    await page.getByRole("alert").waitFor();
  },
} satisfies Record<string, (page: Page, addresses: Addresses) => Promise<void>>;
