import type { DragomanError } from "dragoman/core";
import { useState } from "react";
import { viewerTexts } from "../../text/viewer-texts.js";
import { LongText } from "../../transcript/long-text.js";
import { visible } from "../../transcript/visible-text.js";
import { DialectSelect } from "../dialect-select.js";
import type { Source } from "../model/envelope.js";
import { AppLink } from "./app-link.js";

interface FailurePageProps {
  source: Source;
  error: DragomanError;
  onOpen: (source: Source) => Promise<void>;
}

/** Why a file could not be read, and its text. */
export function FailurePage({ source, error, onOpen }: FailurePageProps) {
  const [text] = useState(() => new TextDecoder().decode(source.bytes));
  const { line, column, code, message } = error;
  const isUndetected = code === "convert/undetected";
  // The library's hint is about an option of the command line.
  const hint = isUndetected ? viewerTexts.failure.choose : error.hint;
  return (
    <main className="viewer-failure">
      <AppLink />
      <h1>{viewerTexts.failure.title(visible(source.name))}</h1>
      <div role="alert" className="viewer-trouble">
        <p>
          {line === undefined ? "" : `${viewerTexts.place(line, column ?? 1)}: `}
          {isUndetected ? viewerTexts.failure.undetected : visible(message)} <code>{code}</code>
        </p>
        {hint === undefined ? null : <p>{visible(hint)}</p>}
      </div>
      <p className="viewer-row">
        <DialectSelect
          label={viewerTexts.failure.readAs}
          value={source.from ?? ""}
          ability="reads"
          empty={viewerTexts.failure.detected}
          onChange={(from) =>
            void onOpen({ name: source.name, bytes: source.bytes, ...(from === "" ? {} : { from }) })
          }
        />
      </p>
      <h2>{viewerTexts.failure.contents}</h2>
      <LongText text={text} />
    </main>
  );
}
