export type ColourScheme = "system" | "light" | "dark";

const KEY = "dragoman.colour-scheme";

/** The scheme chosen in this browser. */
export function chosenScheme(): ColourScheme {
  const stored = localStorage.getItem(KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

/** Applies a scheme and stores it for the next visit. */
export function chooseScheme(scheme: ColourScheme): void {
  if (scheme === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, scheme);
  applyScheme();
}

export function applyScheme(): void {
  const scheme = chosenScheme();
  if (scheme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = scheme;
}
