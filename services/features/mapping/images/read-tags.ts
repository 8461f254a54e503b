import { Tokenizer } from 'htmlparser2';

/** A start tag; `start` and `end` are positions in the text, `end` after its `>`. */
export interface Tag {
  name: string;
  attributes: Record<string, string>;
  start: number;
  end: number;
  isSelfClosing: boolean;
}

interface TagHandlers {
  open(tag: Tag): void;
  /** Called for every end tag; `end` is after its `>`. */
  close(name: string, end: number): void;
  /** Called for text that is not white space. */
  text(): void;
}

const ignore = () => undefined;

/** Reads the tags of any text as HTML in one pass, with decoded attributes. Comments are skipped. */
export function readTags(html: string, { open, close, text }: TagHandlers): void {
  let tag: Omit<Tag, 'end' | 'isSelfClosing'> | null = null;
  let name = '';
  let value = '';

  function finish(endIndex: number, isSelfClosing: boolean): void {
    if (tag) open({ ...tag, end: endIndex + 1, isSelfClosing });
    tag = null;
  }

  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        tag = { name: html.slice(start, end).toLowerCase(), attributes: Object.create(null), start: start - 1 };
      },
      onattribname(start, end) {
        name = html.slice(start, end).toLowerCase();
        value = '';
      },
      onattribdata: (start, end) => {
        value += html.slice(start, end);
      },
      onattribentity: (codePoint) => {
        value += String.fromCodePoint(codePoint);
      },
      onattribend() {
        if (tag && !(name in tag.attributes)) tag.attributes[name] = value;
      },
      onopentagend: (end) => finish(end, false),
      onselfclosingtag: (end) => finish(end, true),
      onclosetag(start, end) {
        const bracket = html.indexOf('>', end);
        close(html.slice(start, end).toLowerCase(), bracket < 0 ? html.length : bracket + 1);
      },
      ontext(start, end) {
        if (html.slice(start, end).trim() !== '') text();
      },
      ontextentity: (codePoint) => {
        if (String.fromCodePoint(codePoint).trim() !== '') text();
      },
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
}
