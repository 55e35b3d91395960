import { withoutEndingSlashes } from "../../core/api/base-url.js";
import { DragomanError } from "../../core/error.js";
import { scrubber } from "../scrub.js";
import type { ChannelOptions, Transport } from "../types.js";
import type { Me } from "./addressed.js";
import { acceptChoice } from "./choice.js";
import { client } from "./client.js";
import { download } from "./download.js";
import { sendError } from "./failure.js";
import { checkNative, normalise } from "./normalise.js";
import { receiveUpdates } from "./receive.js";
import { typingTarget } from "./requests.js";
import { edit, send } from "./send.js";
import type { Settings } from "./settings.js";
import { API_ROOT } from "./verify.js";
import { answerWebhook, webhookSecret } from "./webhook.js";
import type { TelegramOutput } from "./wire.js";

export async function open(options: ChannelOptions<Settings>): Promise<Transport<TelegramOutput>> {
  const { webhookUrl, apiRoot = API_ROOT } = options.settings;
  const token = options.settings.token?.trim();
  if (token === undefined) {
    throw new DragomanError("channel/bad-settings", "the Telegram account has no token", {
      hint: "get one from @BotFather and set it with: dragoman channels add telegram",
    });
  }
  const root = withoutEndingSlashes(apiRoot);
  // Telegram URLs contain the token.
  const scrub = scrubber(token, "[token]");
  const secret = webhookSecret(token);
  const closing = new AbortController();
  const { signal } = closing;
  const { call, upload } = await client({ token, apiRoot: root, fetch: options.fetch, signal });
  const sending = { call, upload, media: options.media };
  let me: Me | undefined;

  const received = receiveUpdates({
    call,
    webhook: webhookUrl === undefined ? undefined : { url: webhookUrl, secret_token: secret },
    onMe: (bot) => {
      me = bot;
    },
    accept,
    signal,
    scrub,
    now: options.now,
    onState: options.onState,
  });

  /** Turns every failure into a `SendError` without the token. */
  async function withSendErrors<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      throw sendError(error, scrub);
    }
  }

  async function accept(update: unknown, bot: Me): Promise<void> {
    const checked = checkNative("TelegramUpdate", update);
    if ("misfit" in checked) return options.onUnread(checked.misfit);
    const { callback_query } = checked.value;
    if (callback_query !== undefined) return acceptChoice(callback_query, call, options);
    const read = normalise(checked.value, bot);
    if (!("why" in read)) await options.receive(read);
  }

  async function acceptWebhookUpdate(update: unknown): Promise<boolean> {
    if (me === undefined || signal.aborted) return false;
    await accept(update, me);
    return true;
  }

  return {
    send: async (place, outgoing) => ({ id: String(await withSendErrors(send(sending, place, outgoing))) }),
    edit: (place, id, outgoing) => withSendErrors(edit(sending, place, id, outgoing)),
    typing: async (place) => {
      await withSendErrors(call("sendChatAction", { ...typingTarget(place), action: "typing" }));
    },
    fetch: (attachment, mostBytes) =>
      download(
        { call, fetch: options.fetch, root: `${root}/file/bot${token}`, signal, scrub },
        attachment,
        mostBytes,
      ),
    ...(webhookUrl !== undefined && {
      webhook: (request) => answerWebhook(request, secret, acceptWebhookUpdate),
    }),
    close: async () => {
      closing.abort();
      await received;
    },
  };
}
