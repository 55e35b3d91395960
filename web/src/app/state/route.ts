export const settingsSections = ["models", "agents", "channels", "tokens", "browser"] as const;
export type SettingsSection = (typeof settingsSections)[number];

/** The page named in the address bar: a new chat, a page of its own, or a session and optionally a message in it. */
export type Route =
  | { page: "new" }
  | { page: "usage" }
  | { page: "sessions" }
  | { page: "settings"; section: SettingsSection }
  | { page: "session"; id: string; message?: string }
  /** A session of another program, which is read there. */
  | { page: "foreign"; source: string; id: string; message?: string };

/** `#/session/01J…/01K…` */
export function routeOf(hash: string): Route {
  const [, page, id = "", message = "", last = ""] = hash.replace(/^#/, "").split("/").map(decoded);
  if (page === "usage" || page === "sessions") return { page };
  if (page === "foreign" && id !== "" && message !== "")
    return { page, source: id, id: message, ...(last === "" ? {} : { message: last }) };
  if (page === "settings") return { page, section: settingsSections.find((name) => name === id) ?? "models" };
  if (page !== "session" || id === "") return { page: "new" };
  return { page, id, ...(message === "" ? {} : { message }) };
}

export function hashOf(route: Route): string {
  if (route.page === "new") return "#/";
  if (route.page === "usage" || route.page === "sessions") return `#/${route.page}`;
  if (route.page === "settings") return `#/settings/${route.section}`;
  const parts = [
    route.page,
    ...(route.page === "foreign" ? [route.source] : []),
    route.id,
    ...(route.message === undefined ? [] : [route.message]),
  ];
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

/** The page of a session of the gateway's home, or of another program. */
export function routeTo(
  { id, source }: { id: string; source?: string | undefined },
  message?: string,
): Route {
  const at = message === undefined ? {} : { message };
  return source === undefined ? { page: "session", id, ...at } : { page: "foreign", source, id, ...at };
}

/** Malformed escapes count as empty. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
