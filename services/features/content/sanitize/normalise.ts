import { Tokenizer } from 'htmlparser2';
import { filterAttribute } from './attributes.ts';
import { isDirtyCodePoint } from './characters.ts';
import { createContentRemover, type UnclosedElement } from './content-remover.ts';
import { allowedTags, booleanAttributes, componentTag } from './rules.ts';
import { createTreeWriter } from './tree-writer.ts';
import { quoteName, type WarningCollector } from './warnings.ts';

const allowedTagSet = new Set(allowedTags);
const booleanNames = new Set(booleanAttributes);

/** A start tag while its attributes are being read. */
interface OpenTag {
  name: string;
  offset: number;
  isAllowed: boolean;
  attributes: string;
  seen: Set<string>;
}

export interface NormalisedHtml {
  html: string;
  /** How the source ended each void tag, in order. */
  voidForms: string[];
  /** The refused element that has no end tag, so that the rest of the source was removed as its content. */
  unclosed: UnclosedElement | null;
}

/**
 * Parses any text as HTML and writes it as a well-formed tree of allowed elements, in time linear in its length. The
 * tokenizer follows the HTML standard; every element that is removed, moved or closed is reported. `neverClosed` maps
 * refused elements to the offset from which they have no end tag: there only their tags are removed, not what follows.
 */
export function normaliseHtml(
  source: string,
  warnings: WarningCollector,
  neverClosed: ReadonlyMap<string, number>,
): NormalisedHtml {
  const writer = createTreeWriter(warnings);
  const remover = createContentRemover(warnings, neverClosed);
  let tag: OpenTag | null = null;
  let attributeName = '';
  let attributeOffset = 0;
  let value = '';
  let consumed = 0;
  let endTagEnd = -1;
  let textStart = 0;
  let textEnd = 0;

  /** Writes adjacent pieces of text as one, because the tokenizer emits many small ones. */
  function flushText(): void {
    writer.text(source.slice(textStart, textEnd), textStart);
    textStart = textEnd;
  }

  function endStartTag(isSelfClosing: boolean, endIndex: number): void {
    consumed = endIndex;
    const { name, offset, isAllowed, attributes } = tag!;
    tag = null;
    if (!isAllowed) {
      remover.startRefused(name, offset, isSelfClosing);
      return;
    }
    const voidForm = isSelfClosing ? (/\s/.test(source.charAt(endIndex - 2)) ? ' />' : '/>') : '>';
    flushText();
    writer.open(name, attributes, offset, voidForm);
    if (isSelfClosing && name === componentTag) writer.close(name, offset);
  }

  function keepAttribute(): void {
    if (!tag?.isAllowed) return;
    if (tag.seen.has(attributeName)) {
      warnings.add(
        'attribute_removed',
        `Removed a second ${quoteName(attributeName)} from <${tag.name}>`,
        attributeOffset,
      );
      return;
    }
    tag.seen.add(attributeName);
    const kept = filterAttribute(tag.name, attributeName, value, attributeOffset, warnings);
    if (kept === null) return;
    const isBare = booleanNames.has(attributeName);
    tag.attributes += isBare ? ` ${attributeName}` : ` ${attributeName}="${escapeAttribute(kept)}"`;
  }

  /** Removes a comment, or another construct that is parsed like one. */
  function dropAs(what: string) {
    return (start: number, endIndex: number) => {
      consumed = endIndex;
      if (!remover.isRemoving()) warnings.add('comment_removed', `Removed ${what}`, start);
    };
  }

  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, endIndex) {
        const name = source.slice(start, endIndex).toLowerCase();
        const isAllowed = remover.admits(name) && allowedTagSet.has(name);
        tag = { name, offset: start - 1, isAllowed, attributes: '', seen: new Set() };
      },
      onattribname(start, endIndex) {
        attributeName = source.slice(start, endIndex).toLowerCase();
        attributeOffset = start;
        value = '';
      },
      onattribdata(start, endIndex) {
        value += source.slice(start, endIndex);
      },
      onattribentity(codePoint) {
        if (!isDirtyCodePoint(codePoint)) value += String.fromCodePoint(codePoint);
        else if (tag?.isAllowed) {
          warnings.add('character_removed', 'Removed a reference to a forbidden character', attributeOffset);
        }
      },
      onattribend: keepAttribute,
      onopentagend: (endIndex) => endStartTag(false, endIndex),
      onselfclosingtag: (endIndex) => endStartTag(true, endIndex),
      onclosetag(start, endIndex) {
        consumed = endIndex;
        endTagEnd = endIndex;
        const name = source.slice(start, endIndex).toLowerCase();
        if (remover.endTag(name)) return;
        if (!allowedTagSet.has(name)) return;
        flushText();
        writer.close(name, start - 2);
      },
      ontext(start, endIndex) {
        // If the source ends inside a tag, the tokenizer reports the rest of it as text, also the beginning of a name.
        const before = source.charAt(start - 1);
        const isCutOff = tag || (endTagEnd === consumed ? before !== '>' : before === '<' && start > consumed);
        if (isCutOff) return;
        consumed = endIndex;
        if (remover.isRemoving()) return;
        if (start !== textEnd) {
          flushText();
          textStart = start;
        }
        textEnd = endIndex;
      },
      ontextentity(codePoint, endIndex) {
        consumed = endIndex;
        if (remover.isRemoving()) return;
        if (isDirtyCodePoint(codePoint)) {
          warnings.add('character_removed', 'Removed a reference to a forbidden character', endIndex);
          return;
        }
        flushText();
        writer.text(String.fromCodePoint(codePoint), endIndex);
      },
      oncomment: dropAs('a comment'),
      ondeclaration: dropAs('a declaration'),
      oncdata: dropAs('a CDATA section'),
      onprocessinginstruction: () => undefined, // XML only
      onend() {
        flushText();
        const unfinished = source.indexOf('<', consumed);
        const endsInEndTag = endTagEnd === consumed && source.indexOf('>', consumed) === -1;
        if (endsInEndTag) warnings.add('markup_repaired', 'Completed an unfinished end tag', endTagEnd);
        if (unfinished !== -1) warnings.add('markup_repaired', 'Removed an unfinished tag', unfinished);
      },
    },
  );
  tokenizer.write(source);
  tokenizer.end();
  return { ...writer.finish(source.length), unclosed: remover.finish() };
}

function escapeAttribute(value: string): string {
  return value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
