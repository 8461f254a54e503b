import {
  type Input,
  NodeSet,
  NodeType,
  Parser,
  type PartialParse,
  parseMixed,
  type SyntaxNodeRef,
  Tree,
} from '@lezer/common';
import { styleTags, tags } from '@lezer/highlight';

/** The nodes of a template. Everything outside tags is `Text`, which another parser reads. */
const names = [
  'Template',
  'Text',
  'Comment',
  'Tag',
  'Delimiter',
  'TagName',
  'Name',
  'Callee',
  'Member',
  'Filter',
  'Word',
  'String',
  'Number',
  'Operator',
  'Bracket',
] as const;
type Kind = (typeof names)[number];

const idOf = Object.fromEntries(names.map((name, id) => [name, id])) as Record<Kind, number>;

const styles = styleTags({
  Comment: tags.blockComment,
  Delimiter: tags.brace,
  TagName: tags.keyword,
  Word: tags.operatorKeyword,
  Callee: tags.function(tags.variableName),
  Filter: tags.function(tags.variableName),
  Name: tags.variableName,
  Member: tags.propertyName,
  String: tags.string,
  Number: tags.number,
  Operator: tags.operator,
  Bracket: tags.punctuation,
});

/** Operators and constants that are words. */
const words = new Set(
  'and or xor not in is matches starts ends with only ignore missing has some every as if else recursive true false null none same by'.split(
    ' ',
  ),
);

const opening = /\{(?:\{|%|#)[-~]?/g;
const verbatim = /^\{%[-~]?\s*verbatim\s*[-~]?%\}/;
const verbatimEnd = /\{%[-~]?\s*endverbatim\s*[-~]?%\}/g;
const token =
  /\s+|#[^\n]*|(?<string>"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(?<number>\d[\d_]*(?:\.\d+)?)|(?<name>[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)|(?<bracket>[()[\]{}])|./gsy;

/** Writes nodes in the form that `Tree.build` reads: children before their parent. */
class TreeWriter {
  readonly buffer: number[] = [];
  add(kind: Kind, from: number, to: number, start = this.buffer.length): void {
    if (to > from) this.buffer.push(idOf[kind], from, to, this.buffer.length - start + 4);
  }
}

function kindOf(groups: Record<string, string | undefined>, text: string, at: number, before: string): Kind {
  if (groups['string'] !== undefined) return 'String';
  if (groups['number'] !== undefined) return 'Number';
  if (groups['bracket'] !== undefined) return 'Bracket';
  if (groups['name'] === undefined) return 'Operator';
  if (before === '.') return 'Member';
  if (before === '|') return 'Filter';
  if (words.has(groups['name'])) return 'Word';
  return text[at + groups['name'].length] === '(' ? 'Callee' : 'Name';
}

/** Reads a tag, from its delimiter to the end of the delimiter that closes it, and returns this end. */
function readTag(out: TreeWriter, text: string, from: number, head: string): number {
  const start = out.buffer.length;
  const isOutput = head[1] === '{';
  out.add('Delimiter', from, from + head.length);
  const open: string[] = [];
  let at = from + head.length;
  let before = isOutput ? '' : '%';
  while (at < text.length) {
    const end = /^[-~]?(\}\}|%\})/.exec(text.slice(at, at + 3))?.[0];
    // a closing bracket of a mapping looks like the end of an output
    if (end && (end.endsWith('%}') ? !isOutput : isOutput && !open.includes('{'))) {
      out.add('Delimiter', at, at + end.length);
      out.add('Tag', from, at + end.length, start);
      return at + end.length;
    }
    token.lastIndex = at;
    const match = token.exec(text)!;
    const [found] = match;
    const next = at + found.length;
    if (found[0] === '#') out.add('Comment', at, next);
    else if (found.trim() !== '') {
      out.add(before === '%' ? 'TagName' : kindOf(match.groups!, text, at, before), at, next);
      if ('([{'.includes(found)) open.push(found);
      if (')]}'.includes(found)) open.pop();
      before = found;
    }
    at = next;
  }
  out.add('Tag', from, at, start);
  return at;
}

function indexAfter(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from);
  return at < 0 ? text.length : at + end.length;
}

/** Adds the nodes of a template of Twig 3. A tag that is not closed goes to the end. */
function readTemplate(out: TreeWriter, text: string): void {
  let at = 0;
  for (;;) {
    opening.lastIndex = at;
    const match = opening.exec(text);
    out.add('Text', at, match?.index ?? text.length);
    if (!match) return;
    const { index, 0: head } = match;
    if (head[1] === '#') {
      at = indexAfter(text, '#}', index + 2);
      out.add('Comment', index, at);
      continue;
    }
    const isVerbatim = verbatim.test(text.slice(index, index + 100));
    at = readTag(out, text, index, head);
    if (!isVerbatim) continue;
    verbatimEnd.lastIndex = at;
    const end = verbatimEnd.exec(text)?.index ?? text.length;
    out.add('Text', at, end);
    if (end < text.length) at = readTag(out, text, end, text.slice(end).startsWith('{%-') ? '{%-' : '{%');
    else return;
  }
}

/**
 * A parser of Twig templates, for highlighting alone: the service checks templates. `top` is the type of the whole tree. `inner` reads the
 * text between the tags as one document.
 */
export function createTwigParser(top: (name: string) => NodeType, inner: Parser): Parser {
  const types = names.map((name, id) => (id === 0 ? top(name) : NodeType.define({ id, name })));
  const nodeSet = new NodeSet(types).extend(styles);
  const wrap = parseMixed((node: SyntaxNodeRef) =>
    node.type.isTop ? { parser: inner, overlay: ({ name }) => name === 'Text' } : null,
  );
  const readAll = (input: Input): Tree => {
    const out = new TreeWriter();
    readTemplate(out, input.read(0, input.length));
    return Tree.build({ buffer: out.buffer, nodeSet, topID: 0, length: input.length });
  };
  return new (class extends Parser {
    createParse(...[input, fragments, ranges]: Parameters<Parser['createParse']>): PartialParse {
      const outer: PartialParse = {
        parsedPos: 0,
        stoppedAt: null,
        stopAt: () => undefined,
        advance: () => readAll(input),
      };
      return wrap(outer, input, fragments, ranges);
    }
  })();
}
