import { expect, test } from '@jest/globals';
import { mergeRows, rowsOf } from '../../../scripts/mutation-rows.ts';

const mutants = (...statuses: string[]) => ({ mutants: statuses.map((status) => ({ status })) });
const day = new Date('2026-11-22T10:00:00Z');

test('a row has the share of mutants that were detected, rounded down', () => {
  const files = {
    'services/a.ts': mutants('Killed', 'Timeout', 'Survived', 'CompileError'),
    'services/b.ts': mutants('Ignored'),
  };
  expect(rowsOf({ files }, day)).toEqual(['| `services/a.ts` | 66 % | 3 | 2026-11-22 |']);
});

test('rows of files that were measured replace the earlier ones, and the others stay', () => {
  const table =
    '\n| file | x |\n| --- |\n| `services/a.ts` | 1 % | 1 | 2026-01-01 |\n| `services/c.ts` | 2 % | 2 | 2026-01-01 |\n';
  const rows = ['| `services/b.ts` | 3 % | 3 | 2026-11-22 |', '| `services/a.ts` | 4 % | 4 | 2026-11-22 |'];
  expect(mergeRows(table, rows).split('\n').slice(2)).toEqual([
    '| `services/a.ts` | 4 % | 4 | 2026-11-22 |',
    '| `services/b.ts` | 3 % | 3 | 2026-11-22 |',
    '| `services/c.ts` | 2 % | 2 | 2026-01-01 |',
  ]);
});
