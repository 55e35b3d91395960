import type { AudioContent, FileContent } from "../types.js";

/** The form of strings that an API accepts. */
export interface Shape {
  /** The allowed characters. */
  readonly pattern: RegExp;
  readonly maxLength: number;
  /** Both rules as text. */
  readonly words: string;
  /** Creates a value of this form from a hash (default: the start of the value, then the hash). */
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
  /** Which texts the API accepts in a block. */
  readonly text: "any" | "not empty" | "not blank";
  readonly acceptsEmptyMessages: boolean;
  readonly acceptsLoneSurrogates: boolean;
  /** How the API treats unsigned thinking. If it does not accept it, thinking is sent as text. */
  readonly unsignedThinking: "accepted" | "ignored" | "refused";
  /** Whether unsigned thinking of an unknown model is accepted as well (default: false). */
  readonly unknownThinking?: boolean;
  /** The values of a message's `api` whose signatures it accepts; empty if signatures are never sent. */
  readonly signatures: readonly string[];
  /** Whether this API can have issued a signature (default: always). */
  isSignature?(signature: string): boolean;
  /** The blocks besides thinking that can carry a signature. */
  readonly signs: readonly ("text" | "call")[];
  readonly media: {
    readonly user: MediaTypes;
    readonly assistant: MediaTypes;
    readonly toolResult: MediaTypes;
  };
  /** Why the API refuses this block although it accepts the MIME type. */
  refuses?(block: AudioContent | FileContent): string | undefined;
  /** The URL schemes from which it fetches media. */
  readonly urlSchemes: readonly string[];
  /** Whether it accepts an image's `detail`. */
  readonly imageDetail: boolean;
  /** Whether the texts of an answer are sent as one string. */
  readonly joinsTexts: boolean;
  /** The last answer must not end in white space. */
  readonly trimsLastAnswer: boolean;
  /** The user comes first, then user and assistant alternate; consecutive results count as one user message. */
  readonly alternates: boolean;
  /** The system prompt is outside the conversation, which has no system messages. */
  readonly systemFirst: boolean;
  /**
   * What JSON without a schema takes beside its field (default: nothing): the word `JSON` in the prompt or a message, or
   * in a message; or an instruction in the prompt, because there is no such field.
   */
  readonly anyJson?: "mentioned" | "mentioned in a message" | "prompt";
}

/** Whether a MIME type is in the list; its parameters are ignored. */
export function isAmong(types: readonly string[], type: string): boolean {
  const [known = ""] = type.toLowerCase().split(";");
  const [kind] = known.split("/");
  return [known.trim(), `${kind}/*`, "*/*"].some((one) => types.includes(one));
}

/** Letters, digits, `_` and `-`, which most APIs allow in names. */
export function plainName(maxLength: number): Shape {
  return {
    pattern: /^[A-Za-z0-9_-]+$/,
    maxLength,
    words: `1 to ${maxLength} letters, digits, _ or -`,
  };
}

/** Exactly `length` letters and digits. */
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
