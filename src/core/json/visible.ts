/** Characters that JSON may contain unescaped, and that control a terminal or change the order of text. */
const controls = /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g;

/** Equivalent JSON text with these characters escaped, safe to print to a terminal. */
export function visibleJson(json: string): string {
  return json.replace(controls, unicodeEscape);
}

/** JSON in printable ASCII, for headers and so that look-alike and invisible characters are recognisable. */
export function asciiJson(value: string | object): string {
  return JSON.stringify(value).replace(/[^ -~]/g, unicodeEscape);
}

/** The JSON escape of one UTF-16 unit: `\u202e`. */
export function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
