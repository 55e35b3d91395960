import type { ToolResultMessage } from "dragoman/core";
import { useContext } from "react";
import { texts } from "../../text/texts.js";
import { TranscriptContext } from "../context.js";
import { each } from "../each.js";
import { LongText } from "../long-text.js";
import { Media } from "../media.js";
import { Diff } from "./diff.js";
import { json } from "./tool-arguments.js";

/** A call's result: its diff, text, images, and a link to the sub-agent's session. */
export function ToolResult({ result }: { result: ToolResultMessage }) {
  const { openSession } = useContext(TranscriptContext);
  const diff = textIn(result.details, "diff");
  const session = textIn(result.details, "session");
  return (
    <div className="tool-result" data-error={result.isError}>
      {diff !== undefined && <Diff text={diff} />}
      {each(result.content, (block) => {
        switch (block.type) {
          case "text":
            return <LongText text={block.text} />;
          case "opaque":
            return <LongText text={json(block.value)} />;
          default:
            return <Media block={block} />;
        }
      })}
      {session !== undefined && openSession !== undefined && (
        <button type="button" className="button" onClick={() => openSession(session)}>
          {texts.transcript.tool.openSession}
        </button>
      )}
    </div>
  );
}

function textIn(details: unknown, name: string): string | undefined {
  if (typeof details !== "object" || details === null) return undefined;
  const value = Object.entries(details).find(([key]) => key === name)?.[1];
  return typeof value === "string" && value !== "" ? value : undefined;
}
