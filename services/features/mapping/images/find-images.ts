import { externalUrl, looksExternal } from './external-url.ts';
import { readTags, type Tag } from './read-tags.ts';
import { parseSrcset } from './srcset.ts';

/** An element that is useless without its image. Positions refer to the source text; `end` is after the end tag. */
export interface Wrapper {
  name: string;
  start: number;
  end: number;
  parent: Wrapper | null;
  /** It contains text or elements other than images. */
  hasOther: boolean;
  /** Without its own end tag, its content is unknown. */
  isClosed: boolean;
}

/** One external image: the `<img>`, or the `<picture>` that contains it. */
export interface ImageSlot {
  start: number;
  end: number;
  attributes: Record<string, string>;
  /** The URLs to try in order: `src`, then the largest of `srcset`, then the sources of a `<picture>`. */
  urls: string[];
  wrapper: Wrapper | null;
}

export interface FoundImages {
  slots: ImageSlot[];
  /** Children before their parents. */
  wrappers: Wrapper[];
}

const wrapperNames = new Set(['a', 'figure', 'picture', 'p', 'div', 'span', 'center']);
/** Elements that the sanitizer removes with their content, so nothing in them is fetched. */
const hiddenNames = new Set(['noscript', 'iframe', 'template', 'svg', 'math', 'object', 'select', 'canvas', 'noembed']);

/** Returns all external candidates of an `<img>`, best first; null when its image is not external. */
function candidatesOf({ src = '', srcset = '' }: Record<string, string>, sources: readonly string[]): string[] | null {
  if (/^\s*media:/i.test(src)) return null;
  const all = [src, ...[srcset, ...sources].flatMap((set) => parseSrcset(set).map(({ url }) => url))];
  if (!all.some(looksExternal)) return null;
  return [...new Set(all.map(externalUrl).filter((url) => url !== null))];
}

/** Creates the stack of open elements that may be wrappers. Closing takes amortised constant time at any depth. */
function createWrapperStack(wrappers: Wrapper[]) {
  const openCounts = new Map<string, number>();
  let current: Wrapper | null = null;

  function pop(closed: Wrapper, end: number | null): void {
    closed.isClosed = end !== null;
    closed.end = end ?? closed.start;
    wrappers.push(closed);
    openCounts.set(closed.name, openCounts.get(closed.name)! - 1);
    if (closed.hasOther && closed.parent) closed.parent.hasOther = true;
    current = closed.parent;
  }

  return {
    current: () => current,
    push(name: string, start: number): Wrapper {
      current = { name, start, end: start, parent: current, hasOther: false, isClosed: false };
      openCounts.set(name, (openCounts.get(name) ?? 0) + 1);
      return current;
    },
    /** Closes the innermost open element of this name; elements inside it have no end tag. */
    close(name: string, end: number): void {
      if (!openCounts.get(name)) return;
      while (current && current.name !== name) pop(current, null);
      if (current) pop(current, end);
    },
    closeAll(): void {
      while (current) pop(current, null);
    },
  };
}

interface Picture {
  wrapper: Wrapper;
  sources: string[];
  slot: ImageSlot | null;
  /** Images after the one that is shown: part of the picture, unless it has no end tag. */
  extra: ImageSlot[];
}

/**
 * Finds the external images of an article and the elements that contain nothing else. Reads tags in one pass without
 * building a tree, so the cost is linear at any depth.
 */
export function findImages(html: string): FoundImages {
  const slots: ImageSlot[] = [];
  const wrappers: Wrapper[] = [];
  const stack = createWrapperStack(wrappers);
  let picture: Picture | null = null;
  let hidden = 0;
  let captions = 0;

  /** Marks that the innermost wrapper contains something else; the content of a caption belongs to its image. */
  function markOther(): void {
    const wrapper = stack.current();
    if (wrapper && captions === 0) wrapper.hasOther = true;
  }

  function addImage(attributes: Record<string, string>, start: number, end: number): void {
    const urls = candidatesOf(attributes, picture?.sources ?? []);
    if (!urls) {
      if (!picture?.slot) markOther();
      return;
    }
    const isShown = picture !== null && picture.slot === null;
    const slot = {
      start: isShown ? picture!.wrapper.start : start,
      end,
      attributes,
      urls,
      wrapper: stack.current(),
    };
    if (isShown) picture!.slot = slot;
    else picture?.extra.push(slot);
    slots.push(slot);
  }

  function open({ name, attributes, start, end, isSelfClosing }: Tag): void {
    if (hiddenNames.has(name)) {
      if (!isSelfClosing) hidden++;
      markOther();
    } else if (hidden > 0) return;
    else if (name === 'figcaption') captions++;
    else if (name === 'img') addImage(attributes, start, end);
    else if (name === 'source') picture?.sources.push(attributes.srcset ?? '');
    else if (wrapperNames.has(name)) {
      const wrapper = stack.push(name, start);
      if (name === 'picture') picture = { wrapper, sources: [], slot: null, extra: [] };
    } else if (name !== 'br' && name !== 'wbr') markOther();
  }

  function close(name: string, end: number): void {
    if (hiddenNames.has(name)) hidden = Math.max(0, hidden - 1);
    else if (hidden > 0) return;
    else if (name === 'figcaption') captions = Math.max(0, captions - 1);
    else if (wrapperNames.has(name)) {
      stack.close(name, end);
      if (picture && (picture.wrapper.isClosed || name === 'picture')) {
        if (picture.slot && picture.wrapper.isClosed) {
          picture.slot.end = picture.wrapper.end;
          slots.length -= picture.extra.length; // a picture shows one image; remove these, which were added last
        }
        picture = null;
      }
    }
  }

  readTags(html, { open, close, text: () => hidden === 0 && markOther() });
  stack.closeAll();
  return { slots, wrappers };
}
