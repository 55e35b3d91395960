import type { Api } from "../../core/api/provider.js";
import type { Finding } from "../report.js";
import { toolIdOf } from "./accepts.js";

interface Entry {
  hint: string;
  /** Whether the API has this rule. */
  applies(rules: Api["rules"], api: Api): boolean;
}

const REMOVED = "`dragoman repair --for` removes it";

/** Reasons why an API can refuse a message; the code is `provider/reason`. */
const catalogue = {
  "tool-id": {
    hint: "`dragoman repair --for` writes another id in the call and its result",
    applies: (_, api) => toolIdOf(api) !== undefined,
  },
  "tool-name": {
    hint: "rename the tool, here and where it is defined",
    applies: ({ toolName }) => toolName !== undefined,
  },
  "result-name": { hint: "add the name of the called tool", applies: ({ namesResults }) => namesResults },
  "blank-text": { hint: REMOVED, applies: ({ text }) => text !== "any" },
  "empty-message": { hint: REMOVED, applies: ({ acceptsEmptyMessages }) => !acceptsEmptyMessages },
  "lone-surrogate": {
    hint: "`dragoman repair --for` replaces it with U+FFFD",
    applies: ({ acceptsLoneSurrogates }) => !acceptsLoneSurrogates,
  },
  "unsigned-thinking": {
    hint: "send it as text, or leave it out",
    applies: ({ unsignedThinking }) => unsignedThinking === "refused",
  },
  "foreign-signature": {
    hint: "remove the signature, and any thinking block that needs it",
    applies: ({ signatures }) => signatures.length > 0,
  },
  "media-place": { hint: "describe it in text, or move it into a user message", applies: () => true },
  "media-type": { hint: "convert it to a type the API accepts", applies: () => true },
  "media-url": {
    hint: "fetch it and put the bytes into the message",
    applies: ({ urlSchemes }) => urlSchemes.length === 0,
  },
  "unknown-block": {
    hint: "write its content as text, or as a block the API accepts",
    applies: () => true,
  },
  "first-message": { hint: "start with a user message", applies: ({ alternates }) => alternates },
  alternation: { hint: "join the two messages into one", applies: ({ alternates }) => alternates },
  "system-place": { hint: "move it to the beginning", applies: ({ systemFirst }) => systemFirst },
} as const satisfies Record<string, Entry>;

export type Refusal = keyof typeof catalogue;

/** Something an API refuses, and its path in the message. */
export interface Refused {
  path: readonly (string | number)[];
  reason: Refusal;
  message: string;
}

export function refusal(provider: string, reason: Refusal, message: string): Finding {
  const hint = catalogue[reason].hint.replace("--for", `--for ${provider}`);
  return { code: `${provider}/${reason}`, message, hint, severity: "error" };
}

/** Every code the API can have. */
export function refusalCodes(api: Api): string[] {
  return Object.entries(catalogue).flatMap(([reason, entry]: [string, Entry]) =>
    entry.applies(api.rules, api) ? [`${api.dialect}/${reason}`] : [],
  );
}
