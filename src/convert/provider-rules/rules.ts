/** The APIs that `check` can judge a transcript for. */
export const providers = ["anthropic", "openai-chat", "openai-responses", "google", "ollama"] as const;

export type Provider = (typeof providers)[number];

/** A string an API takes. */
export interface Shape {
  readonly pattern: RegExp;
  /** What `pattern` asks for. */
  readonly words: string;
}

/** The mime types an API takes of each kind of block; a kind that is absent it does not take. */
interface MediaTypes {
  readonly image?: readonly string[];
  readonly audio?: readonly string[];
  readonly file?: readonly string[];
}

/** What an API refuses, as far as it can be seen in a transcript. */
export interface ProviderRules {
  readonly name: Provider;
  /** Whose signatures it knows, by the `api` of a message; none when it is never sent any. */
  readonly signatures: readonly string[];
  readonly toolId?: Shape & { readonly maxLength: number };
  readonly toolName?: Shape;
  /** Whether a result must name its tool. */
  readonly namesResults: boolean;
  /** Which texts it takes in a block. */
  readonly text: "any" | "not empty" | "not blank";
  readonly takesEmptyMessages: boolean;
  readonly takesUnsignedThinking: boolean;
  readonly takesLoneSurrogates: boolean;
  readonly takesImageUrls: boolean;
  readonly media: {
    readonly user: MediaTypes;
    readonly assistant: MediaTypes;
    readonly toolResult: MediaTypes;
  };
  /** User first, and user and assistant in turns; results count as one user message. */
  readonly takesTurnsOnly: boolean;
  /** A system message has its own place outside of the conversation. */
  readonly systemFirst: boolean;
}
