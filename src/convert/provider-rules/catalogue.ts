import type { Api } from "../../core/api/provider.js";
import type { Severity } from "../../core/dialect.js";
import type { Finding } from "../report.js";
import { toolIdOf } from "./accepts.js";

interface Entry {
  severity: Severity;
  hint: string;
  /** Whether that API has such a rule. */
  applies(rules: Api["rules"], api: Api): boolean;
}

/** What an API can refuse; the code is the provider's name and this reason. */
const catalogue = {
  "tool-id": {
    severity: "error",
    hint: "`dragoman repair --for` writes another id, in the call and in its result",
    applies: (_, api) => toolIdOf(api) !== undefined,
  },
  "tool-name": {
    severity: "error",
    hint: "rename the tool, here and where it is defined",
    applies: ({ toolName }) => toolName !== undefined,
  },
  "result-name": {
    severity: "error",
    hint: "write the name of the tool that was called",
    applies: ({ namesResults }) => namesResults,
  },
  "blank-text": {
    severity: "error",
    hint: "`dragoman repair --for` removes it",
    applies: ({ text }) => text !== "any",
  },
  "empty-message": {
    severity: "error",
    hint: "`dragoman repair --for` removes it",
    applies: ({ acceptsEmptyMessages }) => !acceptsEmptyMessages,
  },
  "lone-surrogate": {
    severity: "error",
    hint: "`dragoman repair --for` replaces it with U+FFFD",
    applies: ({ acceptsLoneSurrogates }) => !acceptsLoneSurrogates,
  },
  "unsigned-thinking": {
    severity: "error",
    hint: "send it as text, or leave it out",
    applies: ({ unsignedThinking }) => unsignedThinking === "refused",
  },
  "foreign-signature": {
    severity: "error",
    hint: "leave the signature out, and thinking that is nothing without it",
    applies: ({ signatures }) => signatures.length > 0,
  },
  "media-place": {
    severity: "error",
    hint: "describe it in words, or move it into a user message",
    applies: () => true,
  },
  "media-type": { severity: "error", hint: "convert it to a type the API takes", applies: () => true },
  "media-url": {
    severity: "error",
    hint: "fetch it and put the bytes into the message",
    applies: ({ urlSchemes }) => urlSchemes.length === 0,
  },
  "unknown-block": {
    severity: "error",
    hint: "write what it holds as text, or in a block the API takes",
    applies: () => true,
  },
  "first-message": {
    severity: "error",
    hint: "begin with what the user said",
    applies: ({ alternates }) => alternates,
  },
  alternation: {
    severity: "error",
    hint: "join the two messages into one",
    applies: ({ alternates }) => alternates,
  },
  "system-place": {
    severity: "error",
    hint: "move it to the beginning",
    applies: ({ systemFirst }) => systemFirst,
  },
} as const satisfies Record<string, Entry>;

export type Refusal = keyof typeof catalogue;

/** Something an API refuses, and where in the message it is. */
export interface Refused {
  path: readonly (string | number)[];
  reason: Refusal;
  message: string;
}

export function refusal(provider: string, reason: Refusal, message: string): Finding {
  const { severity, hint } = catalogue[reason];
  return {
    code: `${provider}/${reason}`,
    message,
    hint: hint.replace("--for", `--for ${provider}`),
    severity,
  };
}

/** Every code of that API. */
export function refusalCodes(api: Api): string[] {
  return Object.entries(catalogue).flatMap(([reason, entry]: [string, Entry]) =>
    entry.applies(api.rules, api) ? [`${api.dialect}/${reason}`] : [],
  );
}
