import type { AudioContent, FileContent } from "../types.js";

/** The form of strings that an API accepts. */
export interface Shape {
  /** The allowed characters. */
  readonly pattern: RegExp;
  readonly maxLength: number;
  /** Both rules as text. */
  readonly words: string;
  /** Makes a value of this form out of a hash (default: the beginning of the value, and the hash). */
  make?(hash: string): string;
}

/** The MIME types an API accepts for each kind of block (`text/*` for any text); absent kinds are refused. */
export interface MediaTypes {
  readonly image?: readonly string[];
  readonly audio?: readonly string[];
  readonly file?: readonly string[];
}

/**
 * What an API accepts in a history. `check --for` reports what violates these rules, and every history is made to fit
 * them before a request is built from it.
 */
export interface ApiRules {
  /** The form of call ids (default: any). Other ids are replaced by distinct ones. */
  readonly toolId?: Shape;
  /** The form of tool names (default: any); answers come back with the caller's names. */
  readonly toolName?: Shape;
  /** Whether a result must name its tool. */
  readonly namesResults: boolean;
  /** Which texts it accepts in a block. */
  readonly text: "any" | "not empty" | "not blank";
  readonly acceptsEmptyMessages: boolean;
  readonly acceptsLoneSurrogates: boolean;
  /** How it treats unsigned thinking. If not accepted, thinking is sent as text. */
  readonly unsignedThinking: "accepted" | "ignored" | "refused";
  /** Whose signatures it accepts, by a message's `api`; empty if signatures are never sent. */
  readonly signatures: readonly string[];
  /** Whether its signatures are base64; `check` verifies this. */
  readonly base64Signatures?: boolean;
  /** Whether a signature can be this API's (default: any can). */
  isSignature?(signature: string): boolean;
  /** The blocks besides thinking that can carry a signature. */
  readonly signs: readonly ("text" | "call")[];
  readonly media: {
    readonly user: MediaTypes;
    readonly assistant: MediaTypes;
    readonly toolResult: MediaTypes;
  };
  /** Why it refuses this block, though it accepts the MIME type. */
  refuses?(block: AudioContent | FileContent): string | undefined;
  /** The URL schemes from which it fetches media. */
  readonly urlSchemes: readonly string[];
  /** Whether it accepts an image's `detail`. */
  readonly imageDetail: boolean;
  /** Whether the texts of an answer are sent as one string. */
  readonly joinsTexts: boolean;
  /** A last answer must not end in white space. */
  readonly trimsLastAnswer: boolean;
  /** User first, and user and assistant in turns; results count as one user message. */
  readonly alternates: boolean;
  /** The system prompt has its own place outside the conversation, which has no system messages. */
  readonly systemFirst: boolean;
  /**
   * What JSON without a schema takes beside its field (default: nothing): the word `JSON` in the prompt or a message, or
   * in a message; or an instruction in the prompt, because there is no such field.
   */
  readonly anyJson?: "mentioned" | "mentioned in a message" | "prompt";
}

/** Whether a MIME type is one of these; parameters are ignored. */
export function isAmong(types: readonly string[], type: string): boolean {
  const [known = ""] = type.toLowerCase().split(";");
  const [kind] = known.split("/");
  return [known.trim(), `${kind}/*`, "*/*"].some((one) => types.includes(one));
}

/** Letters, digits, `_` and `-`: what most APIs allow in names. */
export function plainName(maxLength: number): Shape {
  return {
    pattern: /^[A-Za-z0-9_-]+$/,
    maxLength,
    words: `1 to ${maxLength} letters, digits, _ or -`,
  };
}

/** Exactly this many letters and digits. */
export function alphanumeric(length: number): Shape {
  return {
    pattern: new RegExp(`^[A-Za-z0-9]{${length}}$`),
    maxLength: length,
    words: `exactly ${length} letters and digits`,
    make: (hash) => hash.padStart(length, "0").slice(-length),
  };
}

export function hasShape(value: string, { pattern, maxLength }: Shape): boolean {
  return value.length <= maxLength && pattern.test(value);
}
