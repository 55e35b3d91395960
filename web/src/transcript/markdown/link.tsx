import type { ReactNode } from "react";
import { texts } from "../../text/texts.js";
import { visible } from "../visible-text.js";
import { safeLink } from "./safe-url.js";

/** A link that opens in a new tab without a referrer. An unsafe one is shown as its source text. */
export function Link({ href, raw, children }: { href: string; raw: string; children: ReactNode }) {
  const safe = safeLink(href);
  if (safe === undefined) return <span className="md-unsafe">{visible(raw)}</span>;
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer" title={visible(safe)}>
      {children}
    </a>
  );
}

/** A link to an image, because remote images are not fetched. */
export function ImageLink({ href, alt, raw }: { href: string; alt: string; raw: string }) {
  return (
    <Link href={href} raw={raw}>
      <span className="md-image-link">
        {[texts.transcript.markdown.image, ...(alt === "" ? [] : [visible(alt)])].join(": ")}
      </span>
    </Link>
  );
}
