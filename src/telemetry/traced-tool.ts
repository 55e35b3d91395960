import type { Tool, ToolOutput } from "../agent/types.js";
import { onAbort } from "../core/async/on-abort.js";
import { jsonAttribute } from "./content.js";
import { OPERATION } from "./conventions.js";
import { Span, type SpanSink } from "./span.js";
import { readTrace, writeTrace } from "./trace-id.js";
import { type Attributes, SPAN_KIND } from "./wire.js";

export interface TracedToolOptions {
  sink: SpanSink;
  wantsContent: boolean;
  /** The run in progress. */
  parent(): { traceparent: string; tracestate?: string } | undefined;
  origin: Attributes;
}

/** A tool whose calls are spans of the run in progress. The call gets the span's place in the trace, to pass it on. */
export function tracedTool(tool: Tool, { sink, wantsContent, parent, origin }: TracedToolOptions): Tool {
  return {
    ...tool,
    async execute(args, run) {
      const span = new Span(sink, {
        name: `execute_tool ${tool.name}`,
        kind: SPAN_KIND.internal,
        parent: readTrace(parent() ?? {}),
        attributes: {
          [OPERATION]: "execute_tool",
          "gen_ai.tool.name": tool.name,
          "gen_ai.tool.call.id": run.toolCallId,
          // A tool of an MCP server runs outside this program.
          "gen_ai.tool.type": tool.ruleName === undefined ? "function" : "extension",
          "mcp.method.name": tool.ruleName === undefined ? undefined : "tools/call",
          ...origin,
          ...(wantsContent ? jsonAttribute("gen_ai.tool.call.arguments", args) : {}),
        },
      });
      // A tool that ignores the signal is abandoned, and would never end its span.
      const unlisten = onAbort(run.signal, () => span.end("aborted"));
      try {
        const output = await tool.execute(args, { ...run, trace: writeTrace(span.context) });
        if (wantsContent) span.set(jsonAttribute("gen_ai.tool.call.result", contentOf(output)));
        span.end(output.isError === true ? "tool_error" : undefined);
        return output;
      } catch (error) {
        span.end("tool_error");
        throw error;
      } finally {
        unlisten();
      }
    },
  };
}

function contentOf({ content }: ToolOutput): ToolOutput["content"] {
  return content;
}
