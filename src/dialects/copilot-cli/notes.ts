import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

/**
 * `ext["copilot-cli"]` contains how an event differs from the one we would write (`fields`, `absent`, `inside`), and `cwd`,
 * the folder of a session. The notes on a block are how its tool request, attachment or binary result differs.
 */
export const { notesOf, extWith } = ownNotes(NAME);
