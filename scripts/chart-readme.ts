// `node scripts/chart-readme.ts`: generates charts/fieldstone/README.md from README.head.md and values.yaml's comments.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isMap, isScalar, type Node, type Pair, parseDocument, type YAMLMap } from 'yaml';

const chart = path.join(import.meta.dirname, '../charts/fieldstone');

interface Row {
  key: string;
  preset: string;
  meaning: string;
}

/**
 * Returns a comment as one line. Of several paragraphs, only the last belongs to the key; a title of a table does not.
 */
const clean = (comment: string | null | undefined) => {
  const last = (comment ?? '').split(/\n\s*\n/).at(-1)!;
  return /^\s*##/.test(last) ? '' : last.replaceAll(/\s*\n\s*/g, ' ').trim();
};

/** Returns the comment above a key. The parser assigns the comment above the first key of a map to the map. */
function commentOf(map: YAMLMap, pair: Pair, isFirst: boolean): string {
  const own = clean((pair.key as Node).commentBefore);
  return own || (isFirst ? clean(map.commentBefore) : '');
}

function listRows(map: YAMLMap, prefix: string): Row[] {
  return map.items.flatMap((pair, index) => {
    const key = `${prefix}${String(isScalar(pair.key) ? pair.key.value : pair.key)}`;
    const meaning = commentOf(map, pair, index === 0);
    if (isMap(pair.value) && !pair.value.flow) {
      return [...(meaning ? [{ key, preset: '', meaning }] : []), ...listRows(pair.value, `${key}.`)];
    }
    const value = (pair.value as Node).toJS(parsed);
    return [{ key, preset: JSON.stringify(value), meaning }];
  });
}

const source = readFileSync(path.join(chart, 'values.yaml'), 'utf8');
const parsed = parseDocument(source);

/** Returns the rows of each table by its title. `# ## Title` in the values begins a table at the next key. */
function listTables(): Map<string, Row[]> {
  const titles = new Map([...source.matchAll(/^# ## (.+)$[\s\S]*?^(\w+):/gm)].map(([, title, key]) => [key!, title!]));
  const tables = new Map<string, Row[]>();
  let title = '';
  for (const row of listRows(parsed.contents as YAMLMap, '')) {
    title = titles.get(row.key.split('.')[0]!) ?? title;
    tables.set(title, [...(tables.get(title) ?? []), row]);
  }
  return tables;
}

/** Renders the README for the current values. */
export function renderChartReadme(): string {
  const inCell = (text: string) => text.replaceAll('|', '\\|');
  const line = ({ key, preset, meaning }: Row) =>
    `| \`${key}\` | ${preset ? `\`${inCell(preset)}\`` : ''} | ${inCell(meaning)} |\n`;
  const tables = [...listTables()].map(
    ([title, rows]) => `### ${title}\n\n| value | default | meaning |\n| --- | --- | --- |\n${rows.map(line).join('')}`,
  );
  const head = readFileSync(path.join(chart, 'README.head.md'), 'utf8').trim();
  return `${head}\n\n## Values\n\n${tables.join('\n')}`;
}

if (import.meta.main) writeFileSync(path.join(chart, 'README.md'), renderChartReadme());
