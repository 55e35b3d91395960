/** Every code a `DragomanError` can carry: `area/reason`. Codes are public; renaming one is a breaking change. */
export const ERROR_CODES = [
  "json/syntax",
  "json/too-deep",
  "json/bad-pointer",
  "model/invalid",
  "events/after-end",
  "events/wrong-block",
  "framing/invalid-utf8",
  "framing/line-too-long",
  "framing/event-too-long",
  "framing/bad-field",
  "framing/bad-message",
  "convert/bad-escrow",
  "convert/many-conversations",
  "convert/no-conversation",
  "convert/no-leaf",
  "convert/one-way",
  "convert/unknown-dialect",
  "convert/undetected",
  "log/bad-agent",
  "log/bad-key",
  "log/bad-line",
  "log/bad-position",
  "log/closed",
  "log/deleted",
  "log/disk-full",
  "log/fenced",
  "log/foreign",
  "log/locked",
  "log/moved",
  "log/newer-store",
  "log/no-driver",
  "log/no-message",
  "log/no-session",
  "log/no-source",
  "log/read-only",
  "log/replaced",
  "log/unavailable",
  "log/unclear",
  "log/unreadable",
  "log/write-failed",
  "log/ambiguous",
  "log/no-index",
  "provider/bad-response",
  "provider/context-overflow",
  "provider/failed",
  "provider/http",
  "provider/network",
  "provider/no-key",
  "provider/quota",
  "provider/unknown",
  "stream/stalled",
  "config/invalid",
  "config/linked-view",
  "config/no-agent",
  "config/no-tool",
  "budget/no-price",
  "budget/spent",
  "agent/elsewhere",
  "agent/length-limit",
  "agent/max-turns",
  "agent/not-compacted",
  "agent/not-stored",
  "tools/bad-edit",
  "tools/bad-path",
  "tools/changed",
  "tools/failed",
  "tools/no-sandbox",
  "tools/no-workspace",
  "tools/not-a-file",
  "tools/not-found",
  "tools/not-text",
  "tools/outside-workspace",
  "tools/too-large",
  "acp/failed",
  "acp/interrupted",
  "acp/login",
  "acp/not-ours",
  "acp/unavailable",
  "mcp/bad-message",
  "mcp/bad-settings",
  "mcp/failed",
  "mcp/no-server",
  "mcp/timeout",
  "mcp/unauthorized",
  "mcp/unavailable",
  "gateway/bad-cluster",
  "gateway/bad-tokens",
  "gateway/cannot-listen",
  "gateway/no-link",
  "gateway/no-token",
  "gateway/port-in-use",
  "channel/bad-people",
  "channel/bad-settings",
  "channel/file-too-large",
  "channel/no-account",
  "channel/no-client",
  "channel/no-code",
  "channel/no-file",
  "channel/refused",
  "channel/unreachable",
  "client/bad-frame",
  "client/closed",
  "client/disconnected",
  "client/refused",
  "client/watched",
  "clawtools/anthropic-tool-result",
  "clawtools/anthropic-tool-use",
  "clawtools/arguments-no-object",
  "clawtools/no-block",
  "clawtools/no-content",
  "clawtools/no-image-url",
  "clawtools/no-tool-call-id",
  "clawtools/openai-tool-calls",
  "clawtools/openai-tool-role",
  "clawtools/result-block",
  "clawtools/unknown-role",
  "atif/version",
  "cline/version",
  "continue/exists",
  "continue/outside",
  "continue/not-started",
  "cli/usage",
  "cli/no-file",
  "cli/not-readable",
  "cli/not-writable",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export function isErrorCode(code: string): code is ErrorCode {
  return ERROR_CODES.some((known) => known === code);
}

/** Where in the input the error is. Lines and columns count from 1; columns count UTF-16 units. */
export interface Place {
  /** JSON pointer. In line-based files the first token is the record's index, counted from 0. */
  at?: string;
  line?: number;
  column?: number;
}

export interface DragomanErrorOptions extends Place {
  hint?: string | undefined;
  cause?: unknown;
  /** For programs: an HTTP status, the provider's error code, whether a retry can help. */
  details?: Readonly<Record<string, unknown>>;
}

/**
 * The package's only error class: what is wrong, where, and how to fix it.
 *
 * @example
 * throw new DragomanError("json/syntax", "expected a value", { line: 3, column: 14, hint: "remove the comma" });
 */
export class DragomanError extends Error {
  override readonly name = "DragomanError";
  readonly code: ErrorCode;
  declare readonly at?: string;
  declare readonly line?: number;
  declare readonly column?: number;
  declare readonly hint?: string;
  declare readonly details?: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: DragomanErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options.at !== undefined) this.at = options.at;
    if (options.line !== undefined) this.line = options.line;
    if (options.column !== undefined) this.column = options.column;
    if (options.hint !== undefined) this.hint = options.hint;
    if (options.details !== undefined) this.details = options.details;
  }
}

/** The message of anything that can be thrown. */
export function wordsOf(error: unknown): string {
  const text = error instanceof Error && error.message !== "" ? error.message : String(error);
  return text === "" ? "it failed without saying why" : text;
}

/** The same with what to do about it, if the error states that. */
export function wordsWithHint(error: unknown): string {
  const hint = error instanceof DragomanError ? error.hint : undefined;
  return hint === undefined ? wordsOf(error) : `${wordsOf(error)} (${hint})`;
}
