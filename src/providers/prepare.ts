import { type ApiRules, alphanumeric } from "../core/api/api-rules.js";
import { optionLoss } from "../core/api/option-table.js";
import type { Api, Call, CallOptions, Context, Flags } from "../core/api/provider.js";
import { DragomanError } from "../core/error.js";
import type { JsonObject } from "../core/json/value.js";
import { isShown } from "../core/shown/context.js";
import {
  type ShownConversation,
  showConversation,
  withoutSystemMessages,
} from "../core/shown/conversation.js";
import type { Loss } from "../core/types.js";
import { acceptContext, type ContextInput, isOurs } from "./accept.js";
import { adjust } from "./adjust/adjust.js";
import { wholeFrame } from "./adjust/characters.js";
import { contextPlace } from "./adjust/entry.js";
import { instructJson } from "./adjust/json-instruction.js";
import { reportUnreadMedia } from "./adjust/media.js";
import { ToolNames } from "./adjust/names.js";
import type { ModelCard } from "./catalogue.js";

/** The model that a request is for. */
export interface RequestModel {
  provider: string;
  id: string;
  card: ModelCard;
  api: Api;
  flags: Flags;
}

export interface Prepared {
  request: JsonObject;
  losses: Loss[];
  /** Maps the caller's tool names to those in the request. */
  names: ToolNames;
}

/** The request body for a model, with its losses. Losses point into the given context. */
export async function prepareRequest(
  { provider, id, card, api, flags }: RequestModel,
  context: ContextInput,
  options: CallOptions,
): Promise<Prepared> {
  const losses: Loss[] = [];
  const report = (loss: Loss) => losses.push(loss);
  const asked = instructJson(api.rules, { ...(await showContext(context, report)), options }, report);
  const { systemPrompt, tools } = wholeFrame(asked, report);
  const names = new ToolNames(api.rules.toolName);
  // The offered tools come first, so that other names in the history cannot claim theirs.
  const offered = tools === undefined ? {} : { tools: names.renameTools(tools) };
  const target = {
    dialect: api.dialect,
    api: api.api,
    provider,
    model: id,
    images: card.input.includes("image"),
    rules: rulesOf(api, flags),
    sendsIds: api.sendsIds?.(flags) ?? true,
    names,
  };
  const acceptsSystem = !api.rules.systemFirst || flags.systemMessages === true;
  const messages = acceptsSystem ? asked.messages : withoutSystemMessages(asked.messages, report);
  const entries = adjust(messages, target, report);
  if (entries.length === 0) throw nothingShown(losses);
  const adjusted: Context = {
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...offered,
    messages: entries.map(({ message }) => message),
  };
  const { contextWindow, maxOutput } = card;
  const limits = { contextWindow, maxOutput };
  const call = withoutRefusedThinking(
    { model: id, context: adjusted, options: asked.options, stream: true, limits },
    api,
    flags,
    report,
  );
  // The API's losses point into the adjusted messages.
  const request = api.request(call, flags, ({ at, ...loss }) =>
    report({ at: contextPlace(entries, at), ...loss }),
  );
  return { request, losses, names };
}

function withoutRefusedThinking(call: Call, api: Api, flags: Flags, report: (loss: Loss) => void): Call {
  const { thinking, ...options } = call.options;
  const why = thinking === undefined || thinking === "off" ? undefined : api.refusesThinking?.(call, flags);
  if (why === undefined) return call;
  report(optionLoss("thinking", why));
  return { ...call, options };
}

/** The API's rules, adapted to the server's flags. */
function rulesOf({ rules }: Api, { callIdLength, thinkingField }: Flags): ApiRules {
  return {
    ...rules,
    ...(callIdLength === undefined ? {} : { toolId: alphanumeric(callIdLength) }),
    ...(thinkingField === undefined ? {} : { unknownThinking: true }),
  };
}

/** The input for a connector: the same messages as for every model, in our own model. */
export async function prepareContext(
  context: ContextInput,
  card: ModelCard,
): Promise<{ context: Context; losses: readonly Loss[] }> {
  const losses: Loss[] = [];
  const report = (loss: Loss) => losses.push(loss);
  const { messages: shown, ...rest } = await showContext(context, report);
  if (shown.length === 0) throw nothingShown(losses);
  reportUnreadMedia(shown, card, report);
  const messages = withoutSystemMessages(shown, report);
  return { context: { ...rest, messages: messages.map(({ message }) => message) }, losses };
}

async function showContext(
  context: ContextInput,
  report: (loss: Loss) => void,
): Promise<ShownConversation & Pick<Context, "tools">> {
  if (isShown(context) && context.messages.length > 0 && context.messages.every(isOurs)) {
    return { ...context, messages: context.messages.map((message, index) => ({ message, index })) };
  }
  const { tools, ...given } = await acceptContext(context, report);
  return { ...showConversation(given, report), ...(tools === undefined ? {} : { tools }) };
}

function nothingShown(losses: readonly Loss[]): DragomanError {
  const [first] = losses;
  const why = first === undefined ? "" : `: ${first.what} is left out, because ${first.why}`;
  return new DragomanError(
    "model/invalid",
    `the conversation has no message that can be sent to a model${why}`,
    {
      at: "/messages",
      hint: 'add one, such as { role: "user", content: "Hello" }',
    },
  );
}
