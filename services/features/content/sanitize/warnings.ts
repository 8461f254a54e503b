import { limits } from './rules.ts';

/** One change by the sanitizer, as the content record shows it (contract: Records, content). */
export interface Warning {
  code: WarningCode;
  message: string;
}

export type WarningCode =
  | 'script_removed'
  | 'iframe_removed'
  | 'element_removed'
  | 'inline_style_removed'
  | 'event_handler_removed'
  | 'attribute_removed'
  | 'url_removed'
  | 'comment_removed'
  | 'character_removed'
  | 'markup_repaired'
  | 'nesting_flattened'
  | 'warnings_truncated';

export interface WarningCollector {
  /** Adds one event at an offset of the source; equal events are counted, not repeated. */
  add(code: WarningCode, what: string, offset: number, count?: number): void;
  /** Returns the events as warnings; `source` is the text to which the offsets refer. */
  list(source: string): Warning[];
}

interface Entry {
  code: WarningCode;
  what: string;
  count: number;
  firstOffset: number;
}

/** Collects the changes to one text; messages give the position as line and column. */
export function createWarningCollector(): WarningCollector {
  const entries = new Map<string, Entry>();
  let unlisted = 0;
  return {
    add(code, what, offset, count = 1) {
      const key = `${code} ${what}`;
      const entry = entries.get(key);
      if (entry) entry.count += count;
      else if (entries.size < limits.maxWarnings) entries.set(key, { code, what, count, firstOffset: offset });
      else unlisted += count;
    },
    list(source) {
      const warnings: Warning[] = presentEntries(source, [...entries.values()]);
      if (unlisted > 0) {
        warnings.push({ code: 'warnings_truncated', message: `${unlisted} more changes are not listed one by one.` });
      }
      return warnings;
    },
  };
}

/** Shortens a name from hostile input, from which forbidden characters have already been removed. */
export function quoteName(name: string): string {
  const short = name.length > 40 ? `${name.slice(0, 40)}…` : name;
  return short.toWellFormed();
}

function presentEntries(source: string, entries: Entry[]): Warning[] {
  entries.sort((a, b) => a.firstOffset - b.firstOffset);
  let line = 1;
  let lineStart = 0;
  return entries.map(({ code, what, count, firstOffset }) => {
    for (let next = source.indexOf('\n', lineStart); next !== -1 && next < firstOffset; ) {
      line++;
      lineStart = next + 1;
      next = source.indexOf('\n', lineStart);
    }
    const place = `line ${line}, column ${firstOffset - lineStart + 1}`;
    return { code, message: count === 1 ? `${what} (${place}).` : `${what} (${count} times, first at ${place}).` };
  });
}
