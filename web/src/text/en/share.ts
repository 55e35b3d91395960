import { pluralIn } from "../plural.js";

const plural = pluralIn("en");

/** Links with which others read a session. */
export const share = {
  title: (title: string) => `Share “${title}”`,
  note: "Anyone with the link can read this session while it continues: all messages, thinking, tool calls and their results. They cannot write, and they see no other session.",
  localOnly: "This gateway's address works on this computer only.",
  expires: "The link works for",
  hours: (value: number) => plural(value, { one: "# hour", other: "# hours" }),
  days: (value: number) => plural(value, { one: "# day", other: "# days" }),
  create: "Create link",
  links: "Links to this session",
  link: (created: string, expires: string) => `Created ${created}, expires ${expires}`,
  tokenName: (title: string) => `Link to ${title}`,
  shared: "Shared session",
  readOnly: "read-only",
};
