import type { Page } from "playwright-core";
import { ASKING_TITLE, PICTURE, PICTURE_FILE, TITLE } from "./sample.js";
import { FOREIGN_ID, FOREIGN_TITLE } from "./sample-home.js";
import { type Screen, type Stage, startingWith } from "./stage.js";
import { viewerScreens } from "./viewer-screens.js";

/** A call that has to be allowed; it stays open for all screens after the first that needs it. */
const ASKING = `call: edit ${JSON.stringify({
  file_path: "src/login.ts",
  edits: [{ old_string: "const retries = 1;", new_string: "const retries = 3;" }],
})}

---
say: Done.`;

const question = ({ texts }: Stage) => texts.chat.permission.question.replace("{tool}", "edit");

/** A page that shows the app already moves in it; every other one loads it. */
async function openApp(page: Page, { app, link, texts }: Stage, hash = "#/"): Promise<void> {
  if (!page.url().startsWith(`${app}/#`)) await page.goto(link);
  // The token has been read from the address by then.
  await page.getByRole("main").waitFor();
  // Another page closes the drawer and the archive.
  if (page.url() === `${app}/${hash}`) await page.goto(`${app}/#/sessions`);
  await page.goto(`${app}/${hash}`);
  if (hash === "#/") await page.getByRole("heading", { name: texts.home.recent }).waitFor();
}

async function openDrawer(page: Page, { texts }: Stage): Promise<void> {
  const drawer = page.getByRole("button", { name: texts.shell.openSideBar });
  if (await drawer.isVisible()) await drawer.click();
}

async function openListed(page: Page, stage: Stage, name: string | RegExp): Promise<void> {
  await openApp(page, stage);
  await openDrawer(page, stage);
  await page.getByRole("navigation").getByRole("link", { name }).first().click();
  await page.locator(".row").first().waitFor();
}

async function send(page: Page, { texts }: Stage, message: string): Promise<void> {
  await page.getByRole("textbox", { name: texts.chat.composer.placeholder }).fill(message);
  await page.getByRole("button", { name: texts.controls.send, exact: true }).click();
}

/** Has an agent ask for permission, once for all screens. */
async function haveAsked(page: Page, stage: Stage): Promise<void> {
  await openApp(page, stage);
  await page.getByText("GRACE234").first().waitFor();
  if ((await page.getByText(question(stage)).count()) > 0) return;
  await openListed(page, stage, ASKING_TITLE);
  await send(page, stage, ASKING);
  await page.getByText(question(stage)).first().waitFor();
}

const openChat: Screen = async (page, stage) => {
  await openListed(page, stage, TITLE);
  await page.locator(".hl-keyword").first().waitFor();
};

const openForeign: Screen = async (page, stage) => {
  await openApp(page, stage, `#/foreign/claude-code/${FOREIGN_ID}`);
  await page.getByRole("log").locator(".row").first().waitFor();
};

/** Opens a dialog from the menu of the session that is shown. */
async function sessionDialog(page: Page, stage: Stage, item: string): Promise<void> {
  await openChat(page, stage);
  const menu = page
    .locator("header")
    .getByRole("button", { name: startingWith(stage.texts.sideBar.menuFor) });
  await menu.click();
  await page.getByRole("menuitem", { name: item }).click();
  await page.getByRole("dialog").getByRole("combobox").first().waitFor();
}

const lossTable = (page: Page, { texts }: Stage) =>
  page.getByRole("table", { name: texts.transfer.losses.title });

async function share(page: Page, stage: Stage): Promise<string> {
  await sessionDialog(page, stage, stage.texts.sideBar.actions.share);
  await page.getByRole("button", { name: stage.texts.share.create }).click();
  return (await page.getByRole("dialog").locator("code").first().textContent()) ?? "";
}

const settings =
  (section: keyof Stage["texts"]["settings"]["sections"], look?: Screen): Screen =>
  async (page, stage) => {
    await openApp(page, stage, `#/settings/${section}`);
    const name = stage.texts.settings.sections[section];
    await page.getByRole("heading", { name, level: 2 }).waitFor();
    await look?.(page, stage);
  };

/** Every screen of the app, by name. */
const appScreens = {
  start: (page, stage) => openApp(page, stage),
  home: async (page, stage) => {
    await haveAsked(page, stage);
    await openApp(page, stage);
    await page.getByText(question(stage)).first().waitFor();
    // The list follows a moment later; on a phone it is hidden.
    await page.getByText(stage.texts.sideBar.needsYou).first().waitFor({ state: "attached" });
  },
  permission: async (page, stage) => {
    await haveAsked(page, stage);
    await openListed(page, stage, new RegExp(`^${stage.texts.sideBar.needsYou}`));
    await page.getByText(question(stage)).first().waitFor();
  },
  chat: openChat,
  failure: async (page, stage) => {
    await openApp(page, stage);
    await send(page, stage, "fail: overloaded");
    await page.getByRole("button", { name: stage.texts.chat.actions.tryAgain }).first().waitFor();
  },
  picture: async (page, stage) => {
    await openListed(page, stage, PICTURE);
    await page.getByRole("button", { name: stage.texts.transcript.media.open(PICTURE_FILE) }).click();
    await page.getByRole("dialog").waitFor();
  },
  running: async (page, stage) => {
    await openApp(page, stage);
    if ((await page.getByRole("region", { name: stage.texts.home.running }).count()) === 0) {
      await send(page, stage, "say: On my way.\nstall");
      await page.getByRole("log").getByText("On my way.", { exact: true }).waitFor();
      await openApp(page, stage);
    }
    await page.getByRole("region", { name: stage.texts.home.running }).getByRole("link").waitFor();
  },
  "side-bar": async (page, stage) => {
    await openChat(page, stage);
    await openDrawer(page, stage);
  },
  archive: async (page, stage) => {
    await openApp(page, stage);
    await openDrawer(page, stage);
    await page.getByRole("button", { name: stage.texts.sideBar.archived, exact: true }).click();
    await page.getByText(stage.texts.sideBar.archivedSessions, { exact: true }).waitFor();
  },
  "model-menu": async (page, stage) => {
    await openApp(page, stage);
    await page.getByRole("button", { name: startingWith(stage.texts.chat.model) }).click();
    await page.getByRole("menu").waitFor();
  },
  "session-menu": async (page, stage) => {
    await openChat(page, stage);
    const menu = page
      .locator("header")
      .getByRole("button", { name: startingWith(stage.texts.sideBar.menuFor) });
    await menu.click();
    await page.getByRole("menu").waitFor();
  },
  search: async (page, stage) => {
    await openApp(page, stage);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("line");
    await page.locator("mark").first().waitFor();
  },
  "settings-models": settings("models"),
  "settings-key": settings("models", async (page, { texts }) => {
    await page.getByRole("button", { name: texts.settings.models.addKey }).first().click();
    await page.getByLabel(startingWith(texts.settings.models.apiKey)).waitFor();
  }),
  "settings-agents": settings("agents"),
  "settings-channels": settings("channels"),
  "settings-tokens": settings("tokens"),
  "settings-browser": settings("browser"),
  usage: async (page, stage) => {
    await openApp(page, stage, "#/usage");
    await page.getByRole("table").waitFor();
  },
  sessions: async (page, stage) => {
    await openApp(page, stage, "#/sessions");
    await page.getByRole("main").getByRole("link", { name: FOREIGN_TITLE }).waitFor();
  },
  foreign: openForeign,
  continue: async (page, stage) => {
    await openForeign(page, stage);
    await page.getByRole("button", { name: stage.texts.transfer.continueIn }).click();
    await page.getByRole("dialog").getByLabel(stage.texts.transfer.program).selectOption("codex");
    await lossTable(page, stage).waitFor();
  },
  export: async (page, stage) => {
    await sessionDialog(page, stage, stage.texts.sideBar.actions.export);
    await page.getByRole("dialog").getByLabel(stage.texts.transfer.format).selectOption("cline");
    await lossTable(page, stage).waitFor();
  },
  share: async (page, stage) => {
    await share(page, stage);
  },
  "usage-of-session": async (page, stage) => {
    await openChat(page, stage);
    await page.getByRole("button", { name: new RegExp(stage.texts.usage.tokens("")) }).click();
    await page.getByRole("dialog").getByRole("img").waitFor();
  },
  shortcuts: async (page, stage) => {
    await openChat(page, stage);
    await page.getByRole("textbox", { name: stage.texts.chat.composer.placeholder }).press("Escape");
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
  },
  attachments: async (page, stage) => {
    await openChat(page, stage);
    const file = (name: string, mimeType: string) => ({ name, mimeType, buffer: Buffer.from("one,two") });
    await page
      .getByLabel(stage.texts.chat.composer.files, { exact: true })
      .setInputFiles([file("measurements.csv", "text/csv"), file("report.pdf", "application/pdf")]);
    await page.getByRole("list", { name: stage.texts.chat.attachments.title }).waitFor();
  },
  "no-session": async (page, stage) => {
    await openApp(page, stage, "#/session/NOSUCH");
    await page.getByRole("alert").waitFor();
  },
} satisfies Record<string, Screen>;

/** Screens that leave the app: the page is not signed in to it, or is another one. */
const otherScreens = {
  shared: async (page, stage) => {
    const link = await share(page, stage);
    await page.goto("about:blank");
    await page.goto(link);
    await page.getByText(stage.texts.share.readOnly).waitFor();
    await page.locator(".row").first().waitFor();
  },
  "sign-in": async (page, { app }) => {
    await page.goto(app);
    await page.evaluate("localStorage.clear(); sessionStorage.clear()");
    await page.reload();
    await page.getByRole("textbox").waitFor();
  },
  refused: async (page, stage) => {
    await otherScreens["sign-in"](page, stage);
    await page.getByRole("textbox").fill("dgm_wrong");
    await page.getByRole("button", { name: stage.texts.shell.signIn.connect }).click();
    await page.getByRole("alert").waitFor();
  },
} satisfies Record<string, Screen>;

/** Every screen, in an order in which one page can show all of them. */
export const screens = { ...appScreens, ...viewerScreens, ...otherScreens } satisfies Record<string, Screen>;
