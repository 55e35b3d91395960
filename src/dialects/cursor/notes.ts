import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

/**
 * `ext.cursor` contains how a line, without its content, differs from the one we would write (`fields`, `absent`,
 * `inside`), and `string`: an answer's content is a string. On a block: how it differs, and `wrap`, the text that Cursor
 * puts around a prompt.
 */
export const { notesOf, extWith } = ownNotes(NAME);
