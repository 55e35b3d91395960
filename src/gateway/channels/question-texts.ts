import type { ButtonChoice } from "../../channels/types.js";
import type { PermissionEnd, PermissionRequest } from "../../core/message/question-notes.js";
import type { PermissionAnswer } from "../../core/types.js";
import { formText, hasForm, howToFill } from "./form-texts.js";

/** The longest data of a button that every platform accepts (Telegram: 64 bytes, Discord: 100 characters). */
const MOST_DATA_BYTES = 64;

const letters = { once: "o", session: "s", never: "n" } as const satisfies Record<PermissionAnswer, string>;

/** What a request in a chat looks like: for owners with all that they allow, for other people without. */
export function askedText(request: PermissionRequest, { hasButtons }: { hasButtons: boolean }): string {
  const { question } = request;
  const reply = hasButtons ? [] : [`Reply to this message with ${replyWords(request)}.`];
  const how = question !== undefined && hasForm(request) ? [howToFill(question)] : reply;
  return [...aboutCall(request), expiryText(request), ...how].join("\n\n");
}

/** For a person who cannot answer it. */
export const OWNER_IS_ASKED =
  "I need my owner's permission for the next step, so my answer may take a while.";

/** The same message after its end. */
export function endedText(request: PermissionRequest | undefined, end: PermissionEnd): string {
  const about = request === undefined ? [] : aboutCall(request);
  return [...about, (request?.question === undefined ? outcomes : questionOutcomes)[end]].join("\n\n");
}

const outcomes: Readonly<Record<PermissionEnd, string>> = {
  once: "✅ Allowed once.",
  session: "✅ Allowed for this conversation.",
  never: "🚫 Denied.",
  expired: "⌛ Expired without an answer, so I didn't do it.",
  withdrawn: "✋ No longer needed.",
};

const questionOutcomes: typeof outcomes = {
  once: "✅ Answered.",
  session: "✅ Answered.",
  never: "🚫 Declined.",
  expired: "⌛ Expired without an answer.",
  withdrawn: outcomes.withdrawn,
};

function aboutCall({ toolCall, subject, question }: PermissionRequest): string[] {
  if (question === undefined) {
    const shown = subject ?? JSON.stringify(toolCall.arguments, null, 2);
    return [`🔐 May I run ${codeSpan(toolCall.name)}?`, codeBlock(shown)];
  }
  const page = question.url === undefined ? [] : [`Page to open: ${question.url}`];
  return [`🔐 ${codeSpan(question.server)} asks:`, codeBlock(formText(question)), ...page];
}

function expiryText({ asked, expires }: PermissionRequest): string {
  const minutes = Math.max(1, Math.round((expires - asked) / 60_000));
  const span = minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
  const time = new Date(expires).toISOString();
  return `Expires in ${span}, on ${time.slice(0, 10)} at ${time.slice(11, 16)} UTC.`;
}

/** A model or server wrote the text: a longer fence keeps it from ending the block. */
function codeBlock(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function codeSpan(text: string): string {
  return `\`${text.replace(/[`\n]/g, "")}\``;
}

function replyWords(request: PermissionRequest): string {
  return request.question === undefined
    ? "1 (yes), 2 (always in this conversation) or 3 (no)"
    : "1 (accept) or 3 (decline)";
}

/** The buttons of a request. Undefined if their data would be too long for a platform. */
export function choicesFor(session: string, request: PermissionRequest): ButtonChoice[] | undefined {
  const choice = (answer: PermissionAnswer, title: string) => ({
    data: `${session}.${request.id}.${letters[answer]}`,
    title,
  });
  const all =
    request.question === undefined
      ? [
          choice("once", "Allow once"),
          choice("session", "Always in this conversation"),
          choice("never", "Deny"),
        ]
      : [...(hasForm(request) ? [] : [choice("once", "Accept")]), choice("never", "Decline")];
  return all.every(({ data }) => Buffer.byteLength(data) <= MOST_DATA_BYTES) ? all : undefined;
}

/** What a button stands for; undefined if it is not one of ours. */
export function readChoice(
  data: string,
): { session: string; id: string; answer: PermissionAnswer } | undefined {
  const [, session, id, letter] = /^([\w-]+)\.([\w-]+)\.([osn])$/.exec(data) ?? [];
  const answer = answerOf(letter, letters);
  return session === undefined || id === undefined || answer === undefined
    ? undefined
    : { session, id, answer };
}

const words = {
  once: ["1", "y", "yes", "ok", "allow", "accept"],
  session: ["2", "a", "always"],
  never: ["3", "n", "no", "deny", "decline"],
} as const satisfies Record<PermissionAnswer, readonly string[]>;

/** The answer in a reply to a request; undefined if it is another message. */
export function readReply(text: string): PermissionAnswer | undefined {
  const word = text.trim().toLowerCase().replace(/[.!]$/, "");
  return answerOf(word, words);
}

function answerOf(
  given: string | undefined,
  table: Readonly<Record<PermissionAnswer, string | readonly string[]>>,
): PermissionAnswer | undefined {
  if (given === undefined) return undefined;
  const answers: readonly PermissionAnswer[] = ["once", "session", "never"];
  return answers.find((answer) => [table[answer]].flat().includes(given));
}
