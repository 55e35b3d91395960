/** Characters that JSON may hold as they are, and a terminal would obey or show in another order. */
const obeyed = /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g;

/**
 * The text of a JSON value with these characters escaped: it says the same, and a terminal only shows it.
 *
 * @example
 * visibleJson('"a\u202eb"'); // '"a\\u202eb"'
 */
export function visibleJson(json: string): string {
  return json.replace(obeyed, escaped);
}

/** A string as JSON in printable ASCII: characters that look like others, or like nothing, are seen for what they are. */
export function asciiJson(text: string): string {
  return JSON.stringify(text).replace(/[^ -~]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
