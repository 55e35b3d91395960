import type { ReactNode } from "react";
import { visible } from "../visible-text.js";
import { safeLink } from "./safe-url.js";

/** A link that leaves the page and tells nobody where from; one that leads nowhere safe is shown as it was written. */
export function Link({ href, raw, children }: { href: string; raw: string; children: ReactNode }) {
  const safe = safeLink(href);
  if (safe === undefined) return <span className="md-unsafe">{visible(raw)}</span>;
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer" title={visible(safe)}>
      {children}
    </a>
  );
}

/** An image that would have to be fetched from elsewhere: a reader who wants that follows the link. */
export function ImageLink({ href, alt, raw }: { href: string; alt: string; raw: string }) {
  return (
    <Link href={href} raw={raw}>
      <span className="md-image-link">Image{alt === "" ? "" : `: ${visible(alt)}`}</span>
    </Link>
  );
}
