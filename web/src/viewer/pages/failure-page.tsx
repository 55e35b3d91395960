import type { DragomanError } from "dragoman/core";
import { useState } from "react";
import { LongText } from "../../transcript/long-text.js";
import { visible } from "../../transcript/visible-text.js";
import { DialectSelect } from "../dialect-select.js";
import type { Source } from "../model/envelope.js";

interface FailurePageProps {
  source: Source;
  error: DragomanError;
  onOpen: (source: Source) => Promise<void>;
}

/** Why a file could not be read, and its text. */
export function FailurePage({ source, error, onOpen }: FailurePageProps) {
  const [text] = useState(() => new TextDecoder().decode(source.bytes));
  const { line, column, hint, code, message } = error;
  return (
    <main className="viewer-failure">
      <h1>Could not read {visible(source.name)}</h1>
      <div role="alert" className="viewer-trouble">
        <p>
          {line === undefined ? "" : `Line ${line}, column ${column ?? 1}: `}
          {visible(message)} <code>{code}</code>
        </p>
        {hint === undefined ? null : <p>{visible(hint)}</p>}
      </div>
      <p className="viewer-row">
        <DialectSelect
          label="Read as"
          value={source.from ?? ""}
          ability="reads"
          empty="detected dialect"
          onChange={(from) =>
            void onOpen({ name: source.name, bytes: source.bytes, ...(from === "" ? {} : { from }) })
          }
        />
      </p>
      <h2>File contents</h2>
      <LongText text={text} />
    </main>
  );
}
