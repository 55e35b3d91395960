/** `https://api.example.com/v1//` → `https://api.example.com/v1`, ready for a path. */
export function withoutEndingSlashes(url: string): string {
  let end = url.length;
  while (url.charAt(end - 1) === "/") end--;
  return url.slice(0, end);
}

/**
 * Appends a path to a base URL. Both may have a query; `{model}` in the base URL is replaced by the model's name.
 *
 * @example
 * joinUrl("https://r.example.com/deployments/{model}?api-version=1", "/chat/completions", "gpt-4o");
 * // "https://r.example.com/deployments/gpt-4o/chat/completions?api-version=1"
 */
export function joinUrl(baseUrl: string, path: string, model: string): string {
  const [base = "", ...baseQuery] = baseUrl.replaceAll("{model}", encodeURIComponent(model)).split("?");
  const [pathname = "", ...pathQuery] = path.split("?");
  const query = [baseQuery.join("?"), pathQuery.join("?")].filter((part) => part !== "");
  return `${withoutEndingSlashes(base)}${pathname}${query.length === 0 ? "" : `?${query.join("&")}`}`;
}

/** Whether a URL points to this computer. */
export function isLoopback(url: string): boolean {
  return /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(?=[:/?]|$)/i.test(url);
}
