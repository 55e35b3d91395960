import { texts } from "../../text/texts.js";
import { IconButton } from "../../theme/icon-button.js";
import { byteSize } from "../../transcript/numbers.js";
import { visible } from "../../transcript/visible-text.js";
import type { Attachment } from "./attachments.js";

interface AttachmentListProps {
  attachments: readonly Attachment[];
  onRemove(attachment: Attachment): void;
}

export function AttachmentList({ attachments, onRemove }: AttachmentListProps) {
  if (attachments.length === 0) return null;
  return (
    <ul className="attachments" aria-label={texts.chat.attachments.title}>
      {attachments.map((attachment, index) => {
        const { type, data, mimeType, name: given } = attachment;
        const name = visible(given ?? texts.chat.attachments.numbered[type](index + 1));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same file can be attached twice
          <li key={index}>
            {type === "image" && data !== undefined ? (
              <img src={`data:${mimeType};base64,${data}`} alt={name} />
            ) : (
              <span className="attached-file">
                <bdi className="one-line">{name}</bdi>
                <small>{data === undefined ? "" : byteSize(Math.floor((data.length * 3) / 4))}</small>
              </span>
            )}
            <IconButton
              icon="close"
              label={texts.chat.attachments.remove(name)}
              onClick={() => onRemove(attachment)}
            />
          </li>
        );
      })}
    </ul>
  );
}
