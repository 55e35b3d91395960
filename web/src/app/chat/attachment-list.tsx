import type { ImageContent } from "dragoman/core";
import { texts } from "../../text/texts.js";
import { IconButton } from "../../theme/icon-button.js";

interface AttachmentListProps {
  attachments: readonly ImageContent[];
  onRemove(attachment: ImageContent): void;
}

export function AttachmentList({ attachments, onRemove }: AttachmentListProps) {
  if (attachments.length === 0) return null;
  return (
    <ul className="attachments" aria-label={texts.chat.attachments.title}>
      {attachments.map((attachment, index) => {
        const { data, mimeType, name = texts.chat.attachments.image(index + 1) } = attachment;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same image can be attached twice
          <li key={index}>
            {data === undefined ? name : <img src={`data:${mimeType};base64,${data}`} alt={name} />}
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
