// The parts of the peers that the cases use, so that the benchmarks compile without bench/peers installed.

declare module "jsonriver" {
  export function parse(source: AsyncIterable<string>): AsyncIterable<unknown>;
}

declare module "partial-json" {
  export function parse(text: string): unknown;
}

declare module "@mariozechner/pi-ai" {
  import type { AssistantMessage } from "dragoman";

  export function stream(
    model: object,
    context: object,
    options: { apiKey: string },
  ): AsyncIterable<
    | { type: "done"; message: Pick<AssistantMessage, "content"> }
    | { type: "error"; error: { errorMessage?: string } }
    | { type: "other" }
  >;
}
