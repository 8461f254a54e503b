import { diffWordsWithSpace } from 'diff';
import { useMemo } from 'react';

/** Beyond this many characters a comparison of words could take seconds. */
const maxCompared = 200_000;

/** Returns a value as a text that people compare: of HTML the words, with a line for each block. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ');
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  if (!/<[a-z][^>]*>/i.test(value)) return value;
  const blocks = value.replace(
    /<\/(?:p|h[1-6]|li|blockquote|pre|tr|figcaption|div|section)>|<br ?\/?>|<hr ?\/?>/g,
    '$&\n',
  );
  return new DOMParser()
    .parseFromString(blocks, 'text/html')
    .body.textContent!.replace(/\n\s*\n+/g, '\n')
    .trim();
}

/** Two texts as one, with the words that were removed and added. */
export function TextChanges({
  from,
  to,
  fromLabel,
  toLabel,
}: {
  from: string;
  to: string;
  fromLabel: string;
  toLabel: string;
}) {
  const parts = useMemo(() => compare(from, to), [from, to]);
  const spaced = parts.map((part, index) => ({ ...part, key: index }));
  return (
    <div className="text-changes">
      <p className="text-changes-legend">
        <del>{fromLabel}</del> <ins>{toLabel}</ins>
      </p>
      <div className="text-changes-text">
        {spaced.map(({ key, value, added, removed }) =>
          added ? (
            <ins key={key}>{value}</ins>
          ) : removed ? (
            <del key={key}>{value}</del>
          ) : (
            <span key={key}>{value}</span>
          ),
        )}
      </div>
    </div>
  );
}

function compare(from: string, to: string) {
  if (from.length + to.length > maxCompared)
    return [
      { value: from, added: false, removed: true },
      { value: to, added: true, removed: false },
    ];
  return diffWordsWithSpace(from, to);
}
