import type { Api } from "../../core/api/provider.js";
import type { Severity } from "../../core/dialect.js";
import type { Finding } from "../report.js";
import { toolIdOf } from "./accepts.js";

interface Entry {
  severity: Severity;
  hint: string;
  /** Whether the API has this rule. */
  applies(rules: Api["rules"], api: Api): boolean;
}

/** Reasons why an API can refuse a message; the code is `provider/reason`. */
const catalogue = {
  "tool-id": {
    severity: "error",
    hint: "`dragoman repair --for` writes another id in the call and its result",
    applies: (_, api) => toolIdOf(api) !== undefined,
  },
  "tool-name": {
    severity: "error",
    hint: "rename the tool, here and where it is defined",
    applies: ({ toolName }) => toolName !== undefined,
  },
  "result-name": {
    severity: "error",
    hint: "add the name of the called tool",
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
    hint: "remove the signature, and any thinking block that needs it",
    applies: ({ signatures }) => signatures.length > 0,
  },
  "media-place": {
    severity: "error",
    hint: "describe it in text, or move it into a user message",
    applies: () => true,
  },
  "media-type": { severity: "error", hint: "convert it to a type the API accepts", applies: () => true },
  "media-url": {
    severity: "error",
    hint: "fetch it and put the bytes into the message",
    applies: ({ urlSchemes }) => urlSchemes.length === 0,
  },
  "unknown-block": {
    severity: "error",
    hint: "write its content as text, or as a block the API accepts",
    applies: () => true,
  },
  "first-message": {
    severity: "error",
    hint: "start with a user message",
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

/** Something an API refuses, and its path in the message. */
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

/** Every code the API can have. */
export function refusalCodes(api: Api): string[] {
  return Object.entries(catalogue).flatMap(([reason, entry]: [string, Entry]) =>
    entry.applies(api.rules, api) ? [`${api.dialect}/${reason}`] : [],
  );
}
