/** Makes texts safe to show that may hold a secret, such as an address with a token in it. */
export function scrubber(secret: string, mask: string): (text: string) => string {
  return (text) =>
    [secret, encodeURIComponent(secret)].reduce((clean, word) => clean.replaceAll(word, mask), text);
}
