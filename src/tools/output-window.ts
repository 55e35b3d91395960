/** Keeps the beginning and the end of a text of any length, in bounded memory. */
export class OutputWindow {
  readonly #headRoom: number;
  readonly #tailRoom: number;
  #head = "";
  #tail = "";
  #length = 0;

  constructor(maxCharacters: number) {
    this.#headRoom = Math.floor(maxCharacters / 2);
    this.#tailRoom = maxCharacters - this.#headRoom;
  }

  /** The number of characters cut out of the middle. */
  get cut(): number {
    return Math.max(0, this.#length - this.#headRoom - this.#tailRoom);
  }

  push(text: string): void {
    this.#length += text.length;
    const forHead = text.slice(0, this.#headRoom - this.#head.length);
    this.#head += forHead;
    this.#tail += text.slice(forHead.length);
    // Cut only at twice the room, so that many small pieces cost no more than a few large ones.
    if (this.#tail.length > 2 * this.#tailRoom) this.#tail = this.#tail.slice(-this.#tailRoom);
  }

  /** The beginning and the end, with `note` in between if something was cut. */
  text(note: (cut: number) => string): string {
    if (this.cut === 0) return this.#head + this.#tail;
    const tail = this.#tail.slice(-this.#tailRoom);
    // Halves of a surrogate pair that was cut apart are not characters.
    return `${this.#head.replace(/[\ud800-\udbff]$/, "")}\n${note(this.cut)}\n${tail.replace(/^[\udc00-\udfff]/, "")}`;
  }
}
