import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

export const { notesOf, addNotes, withNotes } = ownNotes(NAME);
