/** Labels that many places share. */
export const controls = {
  add: "Add",
  cancel: "Cancel",
  close: "Close",
  copied: "Copied",
  copy: "Copy",
  copyFailed: "Copy failed",
  create: "Create",
  filter: "Filter",
  loading: "Loading…",
  save: "Save",
  send: "Send",
  turnOff: "Turn off",
  turnOn: "Turn on",
  undo: "Undo",
};
