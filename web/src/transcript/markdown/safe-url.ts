const linkSchemes = new Set(["http:", "https:", "mailto:"]);
const picture = /^data:(image\/(?:png|jpeg|gif|webp));base64,[A-Za-z0-9+/=\s]*$/;
const pictureTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** A transcript's link if it is safe to follow. Relative links are not: they would lead to our own pages. */
export function safeLink(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return linkSchemes.has(url.protocol) ? url.href : undefined;
}

/** A transcript's image if it is embedded as a data URL; remote images are not fetched. */
export function safeImage(src: string): string | undefined {
  return picture.test(src) ? src : undefined;
}

export function dataImage(mimeType: string, base64: string): string | undefined {
  return pictureTypes.has(mimeType) ? `data:${mimeType};base64,${base64}` : undefined;
}
