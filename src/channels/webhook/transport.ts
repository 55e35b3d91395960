import { DragomanError } from "../../core/error.js";
import { parseJson } from "../../core/json/parse.js";
import { guards } from "../../core/validate.js";
import { openMedia } from "../sent-files.js";
import {
  type ChannelOptions,
  SendError,
  type Transport,
  type WebhookReply,
  type WebhookRequest,
} from "../types.js";
import * as generated from "./generated/validators.js";
import { dataUrl, fetchAttachment } from "./media.js";
import { inboundOf } from "./normalise.js";
import { post } from "./post.js";
import type { Settings } from "./settings.js";
import { signatureProblem } from "./signature.js";
import type { WebhookOutput } from "./wire.js";

const SHORTEST_SECRET = 16;
export const MOST_BYTES = 20_000_000;

/** There is no connection: both sides post to each other. */
export async function open(options: ChannelOptions<Settings>): Promise<Transport<WebhookOutput>> {
  const { secret, url } = checkedSettings(options.settings);
  const { fetch, now } = options;
  const closing = new AbortController();
  options.onState({ state: "connected", me: { id: url === undefined ? "webhook" : new URL(url).host } });
  return {
    async send({ kind, chat, thread }, { native: { payload }, mediaUrl }, key) {
      if (url === undefined) throw new SendError("refused", "the account has no url to post answers to");
      const attachments = mediaUrl === undefined ? undefined : [await fileOf(options, mediaUrl)];
      const body = { id: key, place: { kind, chat, thread }, payload, attachments };
      await post(body, { url, secret, key, fetch, now, signal: closing.signal });
      return { id: key };
    },
    fetch: (attachment, mostBytes) =>
      fetchAttachment(attachment, mostBytes, {
        fetch,
        signal: closing.signal,
        mediaHosts: options.settings.mediaHosts ?? [],
      }),
    webhook: async (request) =>
      closing.signal.aborted
        ? refusal(503, "service_unavailable", "the channel is closed; try again later")
        : answer(request, secret, options),
    async close() {
      closing.abort();
    },
  };
}

/** The required settings; fails with `channel/bad-settings` if they are unusable. */
export function checkedSettings({ secret, url }: Settings): {
  secret: string;
  url: string | undefined;
} {
  if (secret === undefined || secret.length < SHORTEST_SECRET) {
    throw new DragomanError(
      "channel/bad-settings",
      `the secret must have at least ${SHORTEST_SECRET} characters`,
      { hint: "create one with `openssl rand -hex 32` and use it on both sides" },
    );
  }
  if (url !== undefined && !isPostable(url)) {
    throw new DragomanError("channel/bad-settings", "the url is not usable", {
      hint: "write it as https://crm.example.com/answers, without user or password",
    });
  }
  return { secret, url };
}

function isPostable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

async function fileOf(options: ChannelOptions<Settings>, mediaUrl: string) {
  const file = await openMedia(options, mediaUrl, MOST_BYTES);
  return { url: dataUrl(file), mimeType: file.mimeType, name: file.name };
}

async function answer(
  request: WebhookRequest,
  secret: string,
  { receive, now }: ChannelOptions<Settings>,
): Promise<WebhookReply> {
  if (request.method !== "POST") return refusal(405, "invalid_request", "use POST");
  const why = signatureProblem(secret, request, now());
  if (why !== undefined) return refusal(401, "unauthorized", why);
  const input = guards(generated).check("WebhookInput", parsed(request.body));
  if ("mismatches" in input) {
    const [first] = input.mismatches;
    const where = first === undefined || first.at === "" ? "" : `${first.at}: `;
    return refusal(400, "invalid_request", `${where}expected ${first?.expected}, found ${first?.found}`);
  }
  const inbound = inboundOf(input.value);
  try {
    await receive(inbound);
  } catch (error) {
    if (!(error instanceof DragomanError) || error.code !== "log/bad-key") throw error;
    return refusal(400, "invalid_request", error.message);
  }
  return { status: 202, json: { status: "accepted", MessageId: inbound.id } };
}

/** Undefined if it is not JSON; undefined fails the message check. */
function parsed(body: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (error) {
    if (error instanceof DragomanError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function refusal(status: number, error: string, message: string): WebhookReply {
  return { status, json: { error, message } };
}
