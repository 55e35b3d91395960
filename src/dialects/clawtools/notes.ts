import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

/*
 * `ext.clawtools` of a message:
 *
 *   absent      ["isError"]          missing fields of the format
 *   fields      {…}                  fields that neither the format nor the model has
 *   also        ["timestamp"]        present fields that only the model has
 *   content     "string" | "null"    the content was not an array of blocks
 *   stray       true                 the role is not part of the format
 *
 * and of a block:
 *
 *   fields      {…}
 *   imageUrl    {…}                  the other fields of an image's `image_url`
 *   plainImage  true                 it was an `image` block; `encode` writes an `image_url` block by default
 *   arguments   …                    a tool call's arguments that are not an object
 */
export const { notesOf, extWith } = ownNotes(NAME);
