import { type DialectInfo, dialects } from "dragoman/convert";
import { useEffect, useId, useState } from "react";

interface DialectSelectProps {
  label: string;
  value: string;
  /** Lists the dialects that can be read, or those that can be written. */
  ability: "reads" | "writes";
  /** The label of the empty choice. */
  empty: string;
  onChange: (name: string) => void;
}

export function DialectSelect({ label, value, ability, empty, onChange }: DialectSelectProps) {
  const [known, setKnown] = useState<readonly DialectInfo[]>([]);
  useEffect(() => {
    void dialects().then(setKnown);
  }, []);
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="viewer-select"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">{empty}</option>
        {known
          .filter((info) => info[ability])
          .map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
      </select>
    </>
  );
}
