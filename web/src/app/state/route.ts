export const settingsSections = ["models", "agents", "channels", "tokens", "browser"] as const;
export type SettingsSection = (typeof settingsSections)[number];

/** The page named in the address bar: a new chat, the usage, or a session and optionally a message in it. */
export type Route =
  | { page: "new" }
  | { page: "usage" }
  | { page: "settings"; section: SettingsSection }
  | { page: "session"; id: string; message?: string };

/** `#/session/01J…/01K…` */
export function routeOf(hash: string): Route {
  const [, page, id = "", message = ""] = hash.replace(/^#/, "").split("/").map(decoded);
  if (page === "usage") return { page };
  if (page === "settings") return { page, section: settingsSections.find((name) => name === id) ?? "models" };
  if (page !== "session" || id === "") return { page: "new" };
  return { page, id, ...(message === "" ? {} : { message }) };
}

export function hashOf(route: Route): string {
  if (route.page === "new") return "#/";
  if (route.page === "usage") return "#/usage";
  if (route.page === "settings") return `#/settings/${route.section}`;
  const parts = [route.id, ...(route.message === undefined ? [] : [route.message])];
  return `#/session/${parts.map(encodeURIComponent).join("/")}`;
}

/** Malformed escapes count as empty. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
