import { type Collection, isCollection, type Key, keysOf, nextIndex, readKey, typeName } from './collections.ts';
import { declare } from './declare.ts';
import { escapeValue } from './escape.ts';
import { jsonEncode } from './json.ts';
import { boundText, type RenderState, takeSteps } from './state.ts';
import { EngineValue, SafeHtml, type TwigValue, toText } from './values.ts';

type AttributeType = 'sst' | 'cst' | 'style';
type Entries = Map<Key, TwigValue>;

/** The values of one attribute and how they are joined: with spaces, with commas, or as CSS declarations. */
class AttributeValues extends EngineValue {
  readonly values: Entries;
  readonly type: AttributeType;

  constructor(values: Entries, type: AttributeType) {
    super();
    this.values = values;
    this.type = type;
  }
}

function entriesOf(state: RenderState, value: Collection): Entries {
  const keys = keysOf(value);
  takeSteps(state, keys.length);
  return new Map(keys.map((key) => [key, readKey(value, key) ?? null]));
}

/** Implements PHP's `array_merge`: numeric keys are appended, names are replaced. */
function appendEntries(state: RenderState, base: Entries, more: Entries): Entries {
  takeSteps(state, base.size + more.size);
  const merged = new Map(base);
  let next = nextIndex(merged);
  for (const [key, value] of more) merged.set(typeof key === 'number' ? next++ : key, value);
  return merged;
}

/** Merges lists and hashes, keeping the type of the first that has one; any other value replaces the old one. */
function mergeValue(state: RenderState, old: TwigValue, value: TwigValue): TwigValue {
  const [before, after] = [open(state, old), open(state, value)];
  if (!before || !after) return value;
  const type = before.type ?? after.type;
  const merged = appendEntries(state, before.values, after.values);
  return type ? new AttributeValues(merged, type) : merged;
}

function open(state: RenderState, value: TwigValue): { values: Entries; type: AttributeType | null } | null {
  if (value instanceof AttributeValues) return value;
  return isCollection(value) ? { values: entriesOf(state, value), type: null } : null;
}

/**
 * Implements `html_attr_merge`: merges hashes of attributes from left to right; skips false, null and '' (reference:
 * `html_attr_merge`).
 */
function mergeAttributes(state: RenderState, ...hashes: TwigValue[]): Entries {
  const merged: Entries = new Map();
  for (const hash of hashes) {
    if (hash === null || hash === undefined || hash === false || hash === '') continue;
    if (!isCollection(hash)) throw new TypeError(`Attributes must be a hash, got ${typeName(hash)}.`);
    for (const [name, value] of entriesOf(state, hash)) {
      merged.set(name, merged.has(name) ? mergeValue(state, merged.get(name), value) : value);
    }
  }
  return merged;
}

function setType(state: RenderState, value: TwigValue, type: TwigValue = 'sst'): AttributeValues {
  const name = toText(type);
  if (name !== 'sst' && name !== 'cst' && name !== 'style') {
    throw new TypeError(`Unknown attribute type "${name.slice(0, 60)}" (valid ones: sst, cst, style).`);
  }
  const opened = open(state, value);
  if (!opened) throw new TypeError(`The "html_attr_type" filter needs a list or a hash, got ${typeName(value)}.`);
  return new AttributeValues(opened.values, name);
}

const isLeftOut = (value: TwigValue) => value === null || value === undefined || value === false;

/** Returns the joined values, or null when none remain. */
function joinValues({ values, type }: AttributeValues): string | null {
  const remaining = [...values].filter(([, value]) => !isLeftOut(value));
  if (remaining.length === 0) return null;
  if (type !== 'style') return remaining.map(([, value]) => toText(value).trim()).join(type === 'cst' ? ', ' : ' ');
  const declarations = remaining.map(([key, value]) => {
    const text = toText(value).trim();
    return typeof key === 'number' ? `${text.replace(/;$/, '')};` : `${key}: ${text};`;
  });
  return declarations.join(' ');
}

/**
 * Returns the text of an attribute; null omits the attribute (reference: `html_attr`, its rules by the attribute's
 * name).
 */
function attributeText(state: RenderState, name: string, value: TwigValue): string | null {
  if (value instanceof AttributeValues) return joinValues(value);
  if (name.startsWith('aria-') && typeof value === 'boolean') return String(value);
  if (isLeftOut(value)) return null;
  if (value === true) return name.startsWith('data-') ? 'true' : '';
  if (typeof value !== 'object' || value instanceof SafeHtml) return toText(value);
  if (name.startsWith('data-')) return jsonEncode(state, value, 0);
  if (!isCollection(value)) return toText(value);
  return joinValues(new AttributeValues(entriesOf(state, value), name === 'style' ? 'style' : 'sst'));
}

/** Implements `html_attr`: returns `name="value"` for each attribute, both escaped. */
function renderAttributes(state: RenderState, ...hashes: TwigValue[]): string {
  const parts: string[] = [];
  for (const [name, value] of mergeAttributes(state, ...hashes)) {
    const text = attributeText(state, String(name), value);
    if (text === null) continue;
    const escapedName = escapeValue(String(name), 'html_attr_relaxed', false);
    parts.push(`${escapedName}="${escapeValue(boundText(text, state), 'html', false)}"`);
  }
  return boundText(parts.join(' '), state);
}

export const attributeFilters = [
  declare('html_attr_merge', '|arrays', mergeAttributes),
  declare('html_attr_type', '|type', setType),
];

export const attributeFunctions = [declare('html_attr', '|attributes', renderAttributes, { safe: ['html'] })];
