import { each } from "../each.js";
import { LongText } from "../long-text.js";
import { visible } from "../visible-text.js";

/** Arguments by name; text as text, everything else as JSON. */
export function ToolArguments({ value }: { value: unknown }) {
  if (value === undefined) return null;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return <LongText text={json(value)} />;
  const entries = Object.entries(value);
  if (entries.length === 0) return null;
  return (
    <dl className="tool-arguments">
      {each(entries, ([name, argument]) => (
        <>
          <dt>{visible(name)}</dt>
          <dd>
            <LongText text={typeof argument === "string" ? argument : json(argument)} />
          </dd>
        </>
      ))}
    </dl>
  );
}

export function json(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? String(value);
}
