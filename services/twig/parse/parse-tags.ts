import type { Statement } from './ast.ts';
import type { ParseContext } from './parse-context.ts';
import {
  parseBlock,
  parseEmbed,
  parseExtends,
  parseFrom,
  parseImport,
  parseInclude,
  parseMacro,
  parseUse,
} from './tags-composition.ts';
import { parseApply, parseAutoescape, parseDo, parseFor, parseIf, parseWith } from './tags-flow.ts';
import { parseCache, parseDeprecated, parseFlush, parseGuard, parseSandbox, parseTypes } from './tags-other.ts';
import { parseSet } from './tags-set.ts';
import type { Token } from './tokens.ts';

/** Parses one tag after its name; returns null for a tag without a statement. */
export type TagParser = (context: ParseContext, name: Token) => Statement | null;

/** Every tag of the language. `verbatim` and comments are resolved by the lexer. */
export const tagParsers = new Map<string, TagParser>([
  ['apply', parseApply],
  ['autoescape', parseAutoescape],
  ['block', parseBlock],
  ['cache', parseCache],
  ['deprecated', parseDeprecated],
  ['do', parseDo],
  ['embed', parseEmbed],
  ['extends', parseExtends],
  ['flush', parseFlush],
  ['for', parseFor],
  ['from', parseFrom],
  ['guard', parseGuard],
  ['if', parseIf],
  ['import', parseImport],
  ['include', parseInclude],
  ['macro', parseMacro],
  ['sandbox', parseSandbox],
  ['set', parseSet],
  ['types', parseTypes],
  ['use', parseUse],
  ['with', parseWith],
]);
