import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createTwigEnvironment, markSafe } from '../../../../services/twig/index.ts';

/**
 * One line of the conformance table: templates (`main` is rendered), a context, and the output of PHP's Twig. `oracle:
 * none` marks what its version 3.5 does not support: newer features, expected as in the reference.
 */
export interface ConformanceCase {
  name: string;
  templates: Record<string, string>;
  context?: Record<string, unknown>;
  globals?: Record<string, unknown>;
  oracle?: 'none';
  expected?: string;
  error?: { line: number; template: string; php?: string };
}

export const folder = import.meta.dirname;

/** Returns the tables by file name. */
export function readTables(): [string, ConformanceCase[]][] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.map((name) => [name, JSON.parse(readFileSync(path.join(folder, name), 'utf8'))]);
}

/** Converts `{"$safe": …}` and `{"$date": …}` to the values that a host would pass. */
export function decodeValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(decodeValue);
  if ('$safe' in value) return markSafe(String(value.$safe));
  if ('$date' in value) return new Date(String(value.$date));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decodeValue(item)]));
}

/** Renders the templates of a case. */
export function renderCase({ templates, context, globals }: Omit<ConformanceCase, 'name'>): string {
  const environment = createTwigEnvironment({
    getSource: (name) => (Object.hasOwn(templates, name) ? { source: templates[name]!, hash: templates[name]! } : null),
    globals: globals ?? {},
  });
  return environment.render('main', decodeValue(context ?? {}) as Record<string, unknown>);
}
