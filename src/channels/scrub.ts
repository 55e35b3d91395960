/** Masks a secret in texts, such as a token in a URL. */
export function scrubber(secret: string, mask: string): (text: string) => string {
  return (text) =>
    [secret, encodeURIComponent(secret)].reduce((clean, word) => clean.replaceAll(word, mask), text);
}
