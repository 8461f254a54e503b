import { Tokenizer } from 'htmlparser2';
import { blockTags, tablePartTags } from './sanitize/rules.ts';

const separatingTags = new Set<string>([...blockTags, ...tablePartTags, 'br', 'summary', 'img', 'video', 'audio']);
const unreadTags = new Set(['script', 'style', 'template', 'rp']);
const ignore = () => undefined;

const sliceLength = 65_536;

/**
 * Collapses every run of white space to one space; in slices, because a run of megabytes overflows the regular
 * expression's stack.
 */
function collapseSpace(text: string): string {
  if (text.length <= sliceLength) return text.replace(/\s+/g, ' ');
  let collapsed = '';
  for (let at = 0; at < text.length; at += sliceLength) {
    collapsed += text.slice(at, at + sliceLength).replace(/\s+/g, ' ');
  }
  return collapsed.replace(/ {2,}/g, ' ');
}

/**
 * Returns the readable text of HTML for excerpts and search: blocks are separated by one space, white space is
 * collapsed. The result has at most `maxChars` UTF-16 units, is cut between words if possible and never inside a
 * character; parsing stops there. Accepts any text, in linear time.
 */
export function htmlToText(html: string, maxChars: number = Number.POSITIVE_INFINITY): string {
  const parts: string[] = [];
  let length = 0;
  let needsSpace = false;
  let unread = '';
  let tag = '';

  function add(text: string): void {
    if (unread) return;
    const collapsed = collapseSpace(text);
    if (/^\s/.test(collapsed)) needsSpace = true;
    const words = collapsed.trim();
    if (words === '') return;
    const piece = needsSpace && length > 0 ? ` ${words}` : words;
    parts.push(piece);
    length += piece.length;
    needsSpace = /\s$/.test(collapsed);
    if (length > maxChars) tokenizer.pause();
  }

  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (start, end) => add(html.slice(start, end)),
      ontextentity: (codePoint) => add(String.fromCodePoint(codePoint)),
      onopentagname(start, end) {
        tag = html.slice(start, end).toLowerCase();
        if (!unread && unreadTags.has(tag)) unread = tag;
        if (separatingTags.has(tag)) needsSpace = true;
      },
      onclosetag(start, end) {
        const name = html.slice(start, end).toLowerCase();
        if (name === unread) unread = '';
        if (separatingTags.has(name)) needsSpace = true;
      },
      onattribdata: ignore,
      onattribentity: ignore,
      onattribend: ignore,
      onattribname: ignore,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onopentagend: ignore,
      onprocessinginstruction: ignore,
      onselfclosingtag: ignore,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return cutBetweenWords(parts.join(''), maxChars);
}

function cutBetweenWords(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const lastSpace = text.lastIndexOf(' ', maxChars);
  if (lastSpace > maxChars / 2) return text.slice(0, lastSpace);
  const splitsPair = /[\ud800-\udbff]/.test(text.charAt(maxChars - 1));
  return text.slice(0, splitsPair ? maxChars - 1 : maxChars).trimEnd();
}
