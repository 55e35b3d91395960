import { texts } from "../../text/texts.js";
/** How a setting is written in a field. */
export type SettingKind = "text" | "long" | "number" | "list" | "json";

/** A setting's value as text for its field. */
export function fieldText(value: unknown, kind: SettingKind): string {
  if (value === undefined) return "";
  if (kind === "list" && Array.isArray(value)) return value.join("\n");
  if (kind === "json" || typeof value === "object") return JSON.stringify(value, null, 2);
  return String(value);
}

/** The value that a field's text stands for; undefined for none. Throws an error with a text for users. */
export function settingValue(text: string, kind: SettingKind): unknown {
  if (text.trim() === "") return undefined;
  switch (kind) {
    case "number":
      return Number(text);
    case "list":
      return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : line.trim()));
    case "json":
      return parsed(text);
    case "long":
      return text;
    case "text":
      return text.trim();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(texts.settings.notJson(error instanceof Error ? error.message : String(error)));
  }
}
