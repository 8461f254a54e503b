import { fileTypeFromBuffer } from 'file-type';
import { imageSize } from 'image-size';
import { skipProlog, skipSpaceAndComments } from './markup.ts';
import type { MediaKind, MediaWork } from './row.ts';

/** What the first bytes of a file reveal. */
export interface Sniffed {
  kind: MediaKind;
  mime_type: string;
  work: MediaWork | null;
}

export interface Size {
  width: number;
  height: number;
}

/** Number of bytes that is enough to identify any file that can be identified. */
export const sniffBytes = 16 * 1024;
/** An image's size may follow its embedded profile and preview. */
export const measureBytes = 512 * 1024;

/** Images that are processed into variants. */
const processed = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif', 'image/tiff']);
/** Images that browsers show unchanged; variants would lose animation or gain nothing. */
const shown = new Set(['image/apng', 'image/bmp', 'image/x-icon']);

/** The tags from which browsers detect unlabelled bytes as HTML (WHATWG MIME Sniffing, section 7.1). */
const htmlStart =
  /^<(?:!doctype\s+html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|link|base|form|img|object|embed)[\s/>]/i;
const svgStart = /^<(?:[\w-]{1,60}:)?svg[\s/>]/i;

/** Text formats identified by the extension: browsers use none of them as script or style. */
const textTypes: Record<string, string> = {
  csv: 'text/csv',
  md: 'text/markdown',
  json: 'application/json',
  ics: 'text/calendar',
  vtt: 'text/vtt',
  srt: 'application/x-subrip',
};

function decodeText(head: Buffer): string | null {
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return new TextDecoder(first === 0xff ? 'utf-16le' : 'utf-16be').decode(head);
  }
  if (head.includes(0)) return null;
  try {
    // the head may end within a character
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
  } catch {
    return null;
  }
}

function sniffMarkup(text: string): string | null {
  const content = text.slice(skipProlog(text));
  if (svgStart.test(content)) return 'image/svg+xml';
  if (htmlStart.test(text.slice(skipSpaceAndComments(text, 0)))) return 'text/html; charset=utf-8';
  return text.trimStart().startsWith('<?xml') ? 'application/xml' : null;
}

/** Returns a text format by its extension if it is harmless. */
function textType(filename: string): string {
  const extension = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? '';
  const type = textTypes[extension] ?? 'text/plain';
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
}

const unknownType = 'application/octet-stream';
/** Never reported as a type, because browsers run it. */
const executable = new Set(['application/wasm']);

async function sniffBinary(head: Buffer): Promise<string | null> {
  const type = await readSignature(head);
  return type !== null && executable.has(type) ? unknownType : type;
}

/** Signatures that identify even a broken image as one. */
const signatures: [string, Buffer][] = [
  ['image/jpeg', Buffer.from('ffd8ff', 'hex')],
  ['image/png', Buffer.from('89504e470d0a1a0a', 'hex')],
  ['image/gif', Buffer.from('GIF8')],
];

async function readSignature(head: Buffer): Promise<string | null> {
  const [signed] = signatures.find(([, bytes]) => head.subarray(0, bytes.length).equals(bytes)) ?? [];
  try {
    return (await fileTypeFromBuffer(head))?.mime ?? signed ?? null;
  } catch {
    return signed ?? null; // a header that contradicts itself identifies no type
  }
}

/**
 * Identifies a file by its bytes; the name only distinguishes harmless text formats (contract: Media). An unknown file
 * is a download. The result is never a type that a browser would run as script.
 */
export async function sniff(head: Buffer, filename: string): Promise<Sniffed> {
  const text = decodeText(head);
  // markup first: in UTF-16 it starts like other formats
  const mime_type =
    (text === null ? null : sniffMarkup(text)) ??
    (await sniffBinary(head)) ??
    (text === null ? unknownType : textType(filename));
  if (processed.has(mime_type)) return { kind: 'image', mime_type, work: 'variants' };
  if (shown.has(mime_type) || mime_type === 'image/svg+xml') return { kind: 'image', mime_type, work: null };
  if (mime_type.startsWith('video/')) return { kind: 'video', mime_type, work: 'video' };
  return { kind: 'file', mime_type, work: null };
}

/** Returns the size of an image as displayed, from its header; null when these bytes do not contain it. */
export function measure(head: Buffer): Size | null {
  try {
    const { width, height, orientation = 1 } = imageSize(head);
    if (!(width > 0 && height > 0)) return null;
    const size = { width: Math.round(width), height: Math.round(height) };
    return orientation >= 5 ? { width: size.height, height: size.width } : size;
  } catch {
    return null;
  }
}
