import { moment } from "../../transcript/dates.js";

/** Until when a request waits for an answer, in the reader's time zone. */
export function RequestExpiry({ expires }: { expires: number }) {
  return (
    <p className="question-note">
      Expires <time dateTime={new Date(expires).toISOString()}>{moment(expires)}</time>
    </p>
  );
}
