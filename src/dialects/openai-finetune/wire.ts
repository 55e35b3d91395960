export const NAME = "openai-finetune";

/** One line of a training file: a conversation that the model learns from. */
export interface WireExample {
  messages: WireMessage[];
  tools?: WireTool[];
  parallel_tool_calls?: boolean;
}

export type WireMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string | WirePart[]; name?: string }
  | WireAnswer
  | { role: "tool"; tool_call_id: string; content: string };

export interface WireAnswer {
  role: "assistant";
  content?: string;
  tool_calls?: WireCall[];
  /** 0: the model is shown the answer, but does not learn it. */
  weight?: 0 | 1;
}

export type WirePart =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string; detail?: "low" | "high" | "auto" } };

export interface WireCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

export interface WireTool {
  type: "function";
  function: { name: string; description: string; parameters: Record<string, unknown>; strict?: boolean };
}

/** The name of a tool, or of a participant. */
export function isWireName(name: string): boolean {
  return /^[\w-]{1,64}$/.test(name);
}
