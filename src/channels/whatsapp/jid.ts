/** `4915112345678:12@s.whatsapp.net` → user, device and server. */
const JID = /^([^:@]+)(?::\d+)?@([a-z.]+)$/;

/** Aliases of the same servers: an older name, and those of businesses hosted by Meta. */
const servers: Readonly<Record<string, string>> = {
  "c.us": "s.whatsapp.net",
  hosted: "s.whatsapp.net",
  "hosted.lid": "lid",
};

/** A person's or group's id without the device; undefined if it is not a valid id. */
export function bareJid(jid: string): string | undefined {
  const [, user, server] = JID.exec(jid) ?? [];
  if (user === undefined || server === undefined) return undefined;
  return `${user}@${Object.hasOwn(servers, server) ? servers[server] : server}`;
}

export function isGroup(jid: string): boolean {
  return jid.endsWith("@g.us");
}

export function isPerson(jid: string): boolean {
  return isNumber(jid) || isLid(jid);
}

export function isNumber(jid: string): boolean {
  return jid.endsWith("@s.whatsapp.net");
}

/** WhatsApp's other id for a person, which hides the number. */
export function isLid(jid: string): boolean {
  return jid.endsWith("@lid");
}
