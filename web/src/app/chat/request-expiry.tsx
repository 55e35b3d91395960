import { RichText } from "../../text/rich-text.js";
import { texts } from "../../text/texts.js";
import { moment } from "../../transcript/dates.js";

/** Until when a request waits for an answer, in the reader's time zone. */
export function RequestExpiry({ expires }: { expires: number }) {
  return (
    <p className="question-note">
      <RichText
        text={texts.chat.permission.expires}
        when={<time dateTime={new Date(expires).toISOString()}>{moment(expires)}</time>}
      />
    </p>
  );
}
