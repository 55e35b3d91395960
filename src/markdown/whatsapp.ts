import { inertBackticks, plain } from "./plain.js";
import type { Mark, Style } from "./style.js";

const bold: Mark = { open: "*", close: "*", needs: "words" };

/** WhatsApp's markup. It has no escapes: marks that a text contains by accident are shown or format it. */
export const whatsapp: Style = {
  ...plain,
  codeText: inertBackticks,
  bold,
  italic: { open: "_", close: "_", needs: "words" },
  strike: { open: "~", close: "~", needs: "words" },
  quote: { open: "> ", close: "" },
  heading: () => bold,
  code: (text) => (text.includes("`") ? undefined : { open: "`", close: "`" }),
  codeBlock: () => ({ open: "```", close: "```" }),
  task: { open: "- ☐", done: "- ☑" },
};
