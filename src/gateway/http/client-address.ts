/**
 * The address that a request counts for. Only configured proxies are trusted, so it is the last forwarded address that is not
 * such a proxy: a client can forge everything before it in the header.
 *
 *     connection 10.0.0.1   X-Forwarded-For: 6.6.6.6, 203.0.113.9   proxies ["10.0.0.1"]   →  203.0.113.9
 */
export function clientAddress(
  connection: string | undefined,
  forwardedFor: string | readonly string[] | undefined,
  proxies: readonly string[],
): string {
  let address = plainAddress(connection ?? "unknown");
  if (!proxies.includes(address)) return address;
  const hops = [forwardedFor ?? []].flat().join(",").split(",");
  while (proxies.includes(address)) {
    const hop = hops.pop()?.trim();
    if (hop === undefined || hop === "") return address;
    address = plainAddress(hop);
  }
  return address;
}

/** `::ffff:10.0.0.1` → `10.0.0.1`, `[2001:db8::1]:4711` → `2001:db8::1`, `203.0.113.9:4711` → `203.0.113.9`. */
function plainAddress(address: string): string {
  if (/^[\d.]+$/.test(address)) return address;
  const bracketed = /^\[([^\]]{1,64})\]/.exec(address)?.[1];
  const bare = bracketed ?? address.replace(/^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/, "$1");
  return bare.toLowerCase().replace(/^::ffff:(?=\d)/, "");
}
