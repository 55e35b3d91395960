/** `https://api.example.com/v1//` → `https://api.example.com/v1`, ready for a path. */
export function withoutEndingSlashes(url: string): string {
  let end = url.length;
  while (url.charAt(end - 1) === "/") end--;
  return url.slice(0, end);
}
