export type Shortcut = "search" | "new" | "shortcuts";

/** What a key means wherever one is on the page; letters count only where nobody types. */
export function shortcutOf(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "target">,
): Shortcut | undefined {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k") return "search";
  if (ctrlKey || metaKey || altKey || isTyping(target) || isInDialog(target)) return undefined;
  return key === "n" ? "new" : key === "?" ? "shortcuts" : undefined;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
}

export function isInDialog(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("dialog, [popover]") !== null;
}

/** For those who want to know them. */
export const shortcuts: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [["Ctrl", "K"], "Search"],
  [["N"], "New chat"],
  [["Enter"], "Send"],
  [["Shift", "Enter"], "New line"],
  [["↑"], "Edit your last message (with nothing typed)"],
  [["Esc"], "Stop the answer, close what is open"],
  [["Alt", "Y"], "Allow what is asked, once"],
  [["Alt", "A"], "Allow it for the rest of the session"],
  [["Alt", "N"], "Do not allow it"],
  [["?"], "This list"],
];
