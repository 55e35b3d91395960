import { memo } from "react";
import { texts } from "../../text/texts.js";
import { CopyButton } from "../../theme/copy-button.js";
import { each } from "../each.js";
import { visible } from "../visible-text.js";
import { useHighlighted } from "./use-highlighted.js";

export interface CodeBlockProps {
  text: string;
  language: string;
  /** A long block is split into pieces that look like one block. */
  first?: boolean;
  last?: boolean;
  whole?: { text: string };
  open?: boolean;
}

/** Code with its language and a copy button. Highlighting appears once it is loaded. */
export const CodeBlock = memo(function CodeBlock(props: CodeBlockProps) {
  const { text, language, first = true, last = true, whole, open = false } = props;
  const shown = visible(text);
  const spans = useHighlighted(shown, language, open);
  return (
    <figure className="code" data-first={first} data-last={last}>
      {first && (
        <figcaption>
          <span className="code-language">
            {language === "" ? texts.transcript.code.plain : visible(language)}
          </span>
          <CopyButton text={() => whole?.text ?? text} />
        </figcaption>
      )}
      <pre tabIndex={0}>
        <code>
          {spans === undefined
            ? shown
            : each(spans, ({ scope, text: part }) => <span className={scope}>{part}</span>)}
        </code>
      </pre>
    </figure>
  );
});
