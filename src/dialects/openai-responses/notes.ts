import { ownNotes } from "../../core/own-notes.js";
import { NAME } from "./wire.js";

export const { notesOf, addNotes, withNotes } = ownNotes(NAME);
