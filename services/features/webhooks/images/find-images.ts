import { Parser } from 'htmlparser2';
import { externalUrl, isMeantExternal } from './external-url.ts';
import { parseSrcset } from './srcset.ts';

/** An element that is nothing without its image. Positions are those of the source text; `end` is after the end tag. */
export interface Wrapper {
  name: string;
  start: number;
  end: number;
  parent: Wrapper | null;
  /** Text or elements beside images. */
  hasOther: boolean;
  /** Without an end tag of its own there is no telling what it holds. */
  isClosed: boolean;
}

/** One external image: the `<img>`, or the `<picture>` around it. */
export interface ImageSlot {
  start: number;
  end: number;
  attributes: Record<string, string>;
  /** What to fetch, the first that can be: `src`, then the largest of `srcset`, then the sources of a `<picture>`. */
  urls: string[];
  wrapper: Wrapper | null;
}

export interface FoundImages {
  slots: ImageSlot[];
  /** Children before their parents. */
  wrappers: Wrapper[];
}

const wrapperNames = new Set(['a', 'figure', 'picture', 'p', 'div', 'span', 'center']);
/** Elements that the sanitizer removes with all they hold: nothing in there is worth fetching. */
const hiddenNames = new Set(['noscript', 'iframe', 'template', 'svg', 'math', 'object', 'select', 'canvas', 'noembed']);
const neutralNames = new Set(['br', 'wbr', 'source', 'img']);

/** All external candidates of an `<img>`, best first; empty when its image is not external. */
function candidatesOf({ src = '', srcset = '' }: Record<string, string>, sources: readonly string[]): string[] | null {
  if (/^\s*media:/i.test(src)) return null;
  const all = [src, ...[srcset, ...sources].flatMap((set) => parseSrcset(set).map(({ url }) => url))];
  if (!all.some(isMeantExternal)) return null;
  return [...new Set(all.map(externalUrl).filter((url) => url !== null))];
}

/**
 * Finds the external images of an article and the elements that hold nothing else. It reads tags in one pass without
 * building a tree, so that a body of any depth costs its length.
 */
export function findImages(html: string): FoundImages {
  const slots: ImageSlot[] = [];
  const wrappers: Wrapper[] = [];
  let current: Wrapper | null = null;
  let hidden = 0;
  let captions = 0;
  let picture: { wrapper: Wrapper; sources: string[]; slot: ImageSlot | null } | null = null;

  const markOther = () => {
    if (current && captions === 0) current.hasOther = true;
  };

  function open(name: string, attributes: Record<string, string>): void {
    if (hiddenNames.has(name)) hidden++;
    if (hidden > 0) markOther();
    else if (name === 'figcaption') captions++;
    else if (wrapperNames.has(name)) {
      current = { name, start: parser.startIndex, end: 0, parent: current, hasOther: false, isClosed: false };
      if (name === 'picture') picture = { wrapper: current, sources: [], slot: null };
    } else if (name === 'source' && picture) picture.sources.push(attributes.srcset ?? '');
    else if (name === 'img') addImage(attributes);
    else if (!neutralNames.has(name)) markOther();
  }

  function addImage(attributes: Record<string, string>): void {
    if (picture?.slot) return; // a picture shows one image
    const urls = candidatesOf(attributes, picture?.sources ?? []);
    if (!urls) {
      markOther();
      return;
    }
    const start = picture ? picture.wrapper.start : parser.startIndex;
    const slot: ImageSlot = { start, end: parser.endIndex + 1, attributes, urls, wrapper: current };
    if (picture) picture.slot = slot;
    slots.push(slot);
  }

  function close(name: string, isImplied: boolean): void {
    if (hiddenNames.has(name)) hidden = Math.max(0, hidden - 1);
    if (hidden > 0) return;
    if (name === 'figcaption') captions = Math.max(0, captions - 1);
    if (!wrapperNames.has(name) || current?.name !== name) return;
    const closed: Wrapper = current;
    closed.isClosed = !isImplied;
    closed.end = parser.endIndex + 1;
    wrappers.push(closed);
    if (closed.hasOther && closed.parent && captions === 0) closed.parent.hasOther = true;
    if (picture?.wrapper === closed) {
      if (picture.slot && closed.isClosed) picture.slot.end = closed.end;
      picture = null;
    }
    current = closed.parent;
  }

  const parser: Parser = new Parser(
    {
      onopentag: open,
      onclosetag: close,
      ontext(text) {
        if (text.trim() !== '') markOther();
      },
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  );
  parser.end(html);
  return { slots, wrappers };
}
