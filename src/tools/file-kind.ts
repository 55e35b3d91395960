/** A file's kind by its first bytes. A kind without `image` is binary and cannot be shown to a model. */
export interface FileKind {
  readonly name: string;
  /** The media type of an image that models can see. */
  readonly image?: string;
  /** The media type of another format that some models accept. */
  readonly media?: string;
}

export const SNIFFED_BYTES = 8192;

/** First bytes in hexadecimal. */
const signatures: readonly [bytes: RegExp, kind: FileKind][] = [
  [/^89504e470d0a1a0a/, { name: "a PNG image", image: "image/png" }],
  [/^ffd8ff/, { name: "a JPEG image", image: "image/jpeg" }],
  [/^47494638(37|39)61/, { name: "a GIF image", image: "image/gif" }],
  [/^52494646........57454250/, { name: "a WebP image", image: "image/webp" }],
  [/^424d........00000000/, { name: "a BMP image" }],
  [/^(49492a00|4d4d002a)/, { name: "a TIFF image" }],
  [/^........6674797061766966/, { name: "an AVIF image" }],
  [/^........6674797068656963/, { name: "a HEIC image" }],
  [/^........667479704d3441/, { name: "an M4A recording", media: "audio/mp4" }],
  [/^........66747970/, { name: "a video", media: "video/mp4" }],
  [/^1a45dfa3/, { name: "a WebM or Matroska video", media: "video/webm" }],
  [/^4f676753/, { name: "an Ogg recording", media: "audio/ogg" }],
  [/^52494646........57415645/, { name: "a WAV recording", media: "audio/wav" }],
  [/^(494433|fff[b3])/, { name: "an MP3 recording", media: "audio/mpeg" }],
  [/^255044462d/, { name: "a PDF document", media: "application/pdf" }],
  [/^504b0304/, { name: "a ZIP archive (also .docx, .xlsx, .jar)" }],
  [/^1f8b/, { name: "gzip-compressed data" }],
  [/^fd377a585a00/, { name: "xz-compressed data" }],
  [/^28b52ffd/, { name: "Zstandard-compressed data" }],
  [/^7f454c46/, { name: "an ELF program or library" }],
  [/^cffaedfe/, { name: "a Mach-O program or library" }],
  [/^4d5a9000/, { name: "a Windows program or library" }],
  [/^53514c69746520666f726d6174203300/, { name: "an SQLite database" }],
  [/^0061736d/, { name: "a WebAssembly module" }],
  [/^(fffe|feff)/, { name: "UTF-16 text" }],
];

/** Undefined for what appears to be text. */
export function kindOf(beginning: Buffer): FileKind | undefined {
  const hex = beginning.toString("hex", 0, 16);
  const [, known] = signatures.find(([bytes]) => bytes.test(hex)) ?? [];
  if (known !== undefined) return known;
  return beginning.includes(0) ? { name: "a binary file" } : undefined;
}
