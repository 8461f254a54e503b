import {
  attributesByTag,
  attributeValues,
  globalAttributes,
  namePattern,
  refusedNames,
  refusedRelWords,
  urlAttributes,
} from './rules.ts';
import { checkSrcset, checkUrl } from './urls.ts';
import { quoteName, type WarningCollector } from './warnings.ts';

const allowedByTag = new Map(Object.entries(attributesByTag).map(([tag, names]) => [tag, new Set(names)]));
const globalNames = new Set(globalAttributes);
const refusedNameSet = new Set(refusedNames);

/**
 * Checks one attribute of an allowed element. Returns the value to keep, or null to remove the attribute; every removal
 * is reported.
 */
export function filterAttribute(
  tag: string,
  name: string,
  value: string,
  offset: number,
  warnings: WarningCollector,
): string | null {
  if (!isAllowedName(tag, name)) {
    reportName(tag, name, offset, warnings);
    return null;
  }
  if (name === 'class' && value === '') {
    warnings.add('attribute_removed', `Removed an empty class from <${tag}>`, offset);
    return null;
  }
  if (name === 'id' || name === 'name') return filterName(tag, name, value, offset, warnings);
  if (name === 'rel') return filterRel(tag, value, offset, warnings);
  if (Object.hasOwn(urlAttributes, name)) return filterUrl(tag, name, value, offset, warnings);
  const values = Object.hasOwn(attributeValues, name) ? attributeValues[name] : undefined;
  if (values && !values.includes(value.toLowerCase())) {
    warnings.add('attribute_removed', `Removed ${name} from <${tag}>: its value is not allowed`, offset);
    return null;
  }
  return value;
}

function isAllowedName(tag: string, name: string): boolean {
  return globalNames.has(name) || allowedByTag.get(tag)?.has(name) === true;
}

function reportName(tag: string, name: string, offset: number, warnings: WarningCollector): void {
  const where = `from <${tag}>`;
  if (name === 'style') warnings.add('inline_style_removed', `Removed the inline style ${where}`, offset);
  else if (name.startsWith('on')) {
    warnings.add('event_handler_removed', `Removed the event handler ${quoteName(name)} ${where}`, offset);
  } else warnings.add('attribute_removed', `Removed the attribute ${quoteName(name)} ${where}`, offset);
}

function filterName(tag: string, name: string, value: string, offset: number, warnings: WarningCollector) {
  if (namePattern.test(value) && !refusedNameSet.has(value.toLowerCase())) return value;
  warnings.add('attribute_removed', `Removed ${name} from <${tag}>: this name is not allowed`, offset);
  return null;
}

function filterRel(tag: string, value: string, offset: number, warnings: WarningCollector): string | null {
  const words = value.split(/[ \t\n\r\f]+/);
  const kept = words.filter((word) => !refusedRelWords.includes(word.toLowerCase()));
  if (kept.length === words.length) return value;
  warnings.add('attribute_removed', `Removed "opener" from rel of <${tag}>`, offset);
  return kept.length === 0 ? null : kept.join(' ');
}

function filterUrl(tag: string, name: string, value: string, offset: number, warnings: WarningCollector) {
  const schemes = urlAttributes[name]!;
  const result = name === 'srcset' ? checkSrcset(value, schemes) : checkUrl(value, schemes);
  if (result.problem) {
    warnings.add('url_removed', `Removed ${result.removedPart} ${name} of <${tag}>: ${result.problem}`, offset);
  }
  return result.value;
}
