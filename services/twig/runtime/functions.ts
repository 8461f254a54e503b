import { TwigError } from '../errors.ts';
import { castInteger } from './arithmetic.ts';
import { countOf, isCollection, keysOf, normaliseKey, readKey } from './collections.ts';
import { toDate } from './dates.ts';
import { declare } from './declare.ts';
import { jsonFlags } from './json.ts';
import { maxOrMin, randomValue } from './lists.ts';
import { range } from './operators.ts';
import type { RenderState } from './state.ts';
import { SafeHtml, type TwigValue, toText, truthy } from './values.ts';

/** The only available constants: those of PHP that templates use with filters. */
const constants = new Map<string, TwigValue>([
  ...Object.entries(jsonFlags),
  ['PHP_EOL', '\n'],
  ['PHP_INT_MAX', Number.MAX_SAFE_INTEGER],
  ['M_PI', Math.PI],
  ['DATE_ATOM', 'Y-m-d\\TH:i:sP'],
  ['DATE_COOKIE', 'l, d-M-Y H:i:s T'],
  ['DATE_ISO8601', 'Y-m-d\\TH:i:sO'],
  ['DATE_RFC822', 'D, d M y H:i:s O'],
  ['DATE_RFC2822', 'D, d M Y H:i:s O'],
  ['DATE_RFC3339', 'Y-m-d\\TH:i:sP'],
  ['DATE_RFC7231', 'D, d M Y H:i:s \\G\\M\\T'],
  ['DATE_RSS', 'D, d M Y H:i:s O'],
  ['DATE_W3C', 'Y-m-d\\TH:i:sP'],
]);

/** Returns the value of a constant, or undefined. */
export function findConstant(name: TwigValue): TwigValue {
  return constants.get(toText(name).replace(/^\\/, ''));
}

function constantFunction(_state: RenderState, name: TwigValue): TwigValue {
  const value = findConstant(name);
  if (value === undefined) throw new TypeError(`Constant "${toText(name).slice(0, 60)}" is undefined.`);
  return value;
}

function cycle(_state: RenderState, values: TwigValue, position: TwigValue): TwigValue {
  if (!isCollection(values)) return values;
  const count = countOf(values);
  if (count === 0) throw new TypeError('The "cycle" function needs at least one value.');
  return readKey(values, castInteger(position) % count) ?? null;
}

function source(state: RenderState, name: TwigValue, ignoreMissing: TwigValue): string {
  const text = state.getSource(toText(name));
  if (text !== null) return text;
  if (truthy(ignoreMissing)) return '';
  throw new TwigError('loader', `Template "${toText(name).slice(0, 255)}" is not defined.`);
}

/** Returns class names from texts and from hashes of name and condition, each once. */
function htmlClasses(_state: RenderState, ...values: TwigValue[]): string {
  const names: string[] = [];
  for (const value of values) {
    if (typeof value === 'string' || value instanceof SafeHtml) names.push(toText(value));
    else if (isCollection(value)) {
      for (const key of keysOf(value)) if (truthy(readKey(value, normaliseKey(key)))) names.push(String(key));
    } else throw new TypeError('The "html_classes" function accepts only texts and hashes.');
  }
  return [...new Set(names.filter((name) => name !== ''))].join(' ');
}

/** The functions of Twig's reference that are not language constructs. */
export const coreFunctions = [
  declare('constant', 'constant|object', constantFunction),
  declare('cycle', 'values position', cycle),
  declare('date', '|date timezone', toDate),
  declare('dump', '|values', () => '', { safe: ['all'] }),
  declare('html_classes', '|values', htmlClasses),
  declare('max', 'values|values', (state, ...values) => maxOrMin(state, values, 1)),
  declare('min', 'values|values', (state, ...values) => maxOrMin(state, values, -1)),
  declare('random', '|values max', randomValue),
  declare('range', 'low high|step', range),
  declare('source', 'name|ignore_missing', source, { safe: ['all'] }),
  declare('template_from_string', 'template|name', (state: RenderState, template, name) =>
    state.compileString(toText(template), name === undefined || name === null ? '' : toText(name)),
  ),
];
