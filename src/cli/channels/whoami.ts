import type { Account } from "../../channels/accounts.js";
import type { Person } from "../../channels/types.js";

/** Asks the platform who an account is, without receiving anything. Undefined where that cannot be asked. */
export async function whoami(account: Account): Promise<Person | undefined> {
  switch (account.channel) {
    case "telegram":
      return (await import("../../channels/telegram/verify.js")).verify(account.settings, fetch);
    case "discord":
      return (await import("../../channels/discord/verify.js")).verify(account.settings, fetch);
    case "webhook":
      return (await import("../../channels/webhook/verify.js")).verify(account.settings, fetch);
    case "whatsapp":
      return undefined;
  }
}
