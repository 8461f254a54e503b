import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { folder, readTables } from './conformance/cases.ts';

const isInstalled = existsSync('/usr/share/php/Twig/autoload.php') && spawnSync('php', ['--version']).status === 0;

test('the expected outputs are what PHP’s own Twig makes of the templates', () => {
  if (!isInstalled) {
    process.stderr.write(
      '\nNOT CHECKED against PHP: install php-cli, php-twig, php-mbstring, php-intl and php-twig-*-extra.\n',
    );
    return;
  }
  const cases = readTables().flatMap(([, entries]) => entries.filter((entry) => entry.oracle !== 'none'));
  const { stdout } = spawnSync('php', [path.join(folder, 'oracle.php')], {
    input: JSON.stringify(cases),
    maxBuffer: 1e8,
  });
  const results = JSON.parse(stdout.toString('utf8')) as { expected?: string; error?: unknown }[];
  expect(results).toHaveLength(cases.length);
  const wrong = cases.filter((entry, index) => {
    const result = results[index]!;
    return entry.error ? !result.error : result.expected !== entry.expected;
  });
  expect(wrong.map((entry) => entry.name)).toEqual([]);
});
