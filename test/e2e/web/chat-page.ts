import type { Locator, Page } from "playwright-core";

/** What people see of the chat, by the names it has for them. */
export function chatOn(page: Page) {
  const field = page.getByRole("textbox", { name: "Write a message" });
  const log = page.getByRole("log", { name: "Conversation" });
  return {
    field,
    log,
    sideBar: page.getByRole("navigation", { name: "Sessions" }),
    status: page.getByRole("status"),
    /** An answer, or a part of one, of exactly these words. */
    answer: (words: string): Locator =>
      log.locator(".row[data-kind=agent]").getByText(words, { exact: true }),
    async say(words: string): Promise<void> {
      await field.fill(words);
      await field.press("Enter");
    },
    async stop(): Promise<void> {
      await page.getByRole("button", { name: "Stop (Esc)" }).waitFor();
      await field.press("Escape");
    },
  };
}
