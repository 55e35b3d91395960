/** Code whose own backticks do not end it: something that is not seen is put between them. */
export function inertBackticks(code: string, place: "block" | "line"): string {
  const ends = place === "block" ? "```" : "``";
  return code.includes(ends) ? code.replace(/`(?=`)/g, "`\u200b") : code;
}
