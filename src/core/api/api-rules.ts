import type { AudioContent, FileContent } from "../types.js";

/** A string that an API accepts. */
export interface Shape {
  /** The characters it can have. */
  readonly pattern: RegExp;
  readonly maxLength: number;
  /** What both ask for. */
  readonly words: string;
}

/** The mime types an API accepts of each kind of block (`text/*` for any text); a kind that is absent it refuses. */
export interface MediaTypes {
  readonly image?: readonly string[];
  readonly audio?: readonly string[];
  readonly file?: readonly string[];
}

/**
 * What an API accepts in a history. `check --for` reports what a transcript has beside that, and every request is built
 * from a conversation that was made to fit it.
 */
export interface ApiRules {
  /** Ids of calls; where absent, any is accepted. Others are replaced by distinct ones. */
  readonly toolId?: Shape;
  /** The same for the names of tools; answers come back with the names the caller knows. */
  readonly toolName?: Shape;
  /** Whether a result must name its tool. */
  readonly namesResults: boolean;
  /** Which texts it accepts in a block. */
  readonly text: "any" | "not empty" | "not blank";
  readonly acceptsEmptyMessages: boolean;
  readonly acceptsLoneSurrogates: boolean;
  /** What it does with thinking that nobody signed. Unless it is accepted, it is sent as text. */
  readonly unsignedThinking: "accepted" | "ignored" | "refused";
  /** Whose signatures it knows, by the `api` of a message; none when it is never sent any. */
  readonly signatures: readonly string[];
  /** Whether a signature can be one of this API's (default: any can). */
  isSignature?(signature: string): boolean;
  /** Where else than in thinking a signature can be sent back. */
  readonly signs: readonly ("text" | "call")[];
  readonly media: {
    readonly user: MediaTypes;
    readonly assistant: MediaTypes;
    readonly toolResult: MediaTypes;
  };
  /** Why it refuses this one, though it accepts others of its type. */
  refuses?(block: AudioContent | FileContent): string | undefined;
  /** The schemes of addresses that it fetches media from. */
  readonly urlSchemes: readonly string[];
  /** Whether it can be told how closely to look at an image. */
  readonly imageDetail: boolean;
  /** Whether the texts of an answer are sent as one string. */
  readonly joinsTexts: boolean;
  /** A last answer must not end in white space. */
  readonly trimsLastAnswer: boolean;
  /** User first, and user and assistant in turns; results count as one user message. */
  readonly alternates: boolean;
  /** A system message has its own place outside of the conversation. */
  readonly systemFirst: boolean;
}

/** Whether a mime type is one of these, whatever its parameters. */
export function isAmong(types: readonly string[], type: string): boolean {
  const [known = ""] = type.toLowerCase().split(";");
  const [kind] = known.split("/");
  return [known.trim(), `${kind}/*`, "*/*"].some((one) => types.includes(one));
}

/** Letters, digits, `_` and `-`: what most APIs make names of. */
export function plainName(maxLength: number): Shape {
  return {
    pattern: /^[A-Za-z0-9_-]+$/,
    maxLength,
    words: `1 to ${maxLength} letters, digits, _ or -`,
  };
}

export function hasShape(value: string, { pattern, maxLength }: Shape): boolean {
  return value.length <= maxLength && pattern.test(value);
}
