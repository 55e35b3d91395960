import { type ReactNode, useState } from "react";
import { texts } from "../text/texts.js";
import { Dialog } from "../theme/dialog.js";

interface PictureProps {
  src: string;
  /** What it shows, for people who do not see it. */
  title: string;
  /** Shown in place of an image that the browser cannot display. */
  fallback: ReactNode;
  onSave(): void;
}

/** An image that opens in full size. */
export function Picture({ src, title, fallback, onSave }: PictureProps) {
  const [isOpen, setOpen] = useState(false);
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return fallback;
  return (
    <>
      <button
        type="button"
        className="picture"
        aria-label={texts.transcript.media.open(title)}
        title={texts.transcript.media.open(title)}
        onClick={() => setOpen(true)}
      >
        <img className="media-image" src={src} alt={title} onError={() => setBroken(true)} />
      </button>
      <Dialog title={title} bare className="lightbox" open={isOpen} onClose={() => setOpen(false)}>
        <img src={src} alt={title} />
        <p>
          <bdi className="one-line">{title}</bdi>
          <button type="button" className="button" onClick={onSave}>
            {texts.controls.save}
          </button>
          <button type="button" className="button" onClick={() => setOpen(false)}>
            {texts.controls.close}
          </button>
        </p>
      </Dialog>
    </>
  );
}
