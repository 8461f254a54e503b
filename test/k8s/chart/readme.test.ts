import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { renderChartReadme } from '../../../scripts/chart-readme.ts';
import { chart } from './render.ts';

test('the README is what the values make of it', () => {
  expect(readFileSync(path.join(chart, 'README.md'), 'utf8')).toBe(renderChartReadme());
});

test('every value says what it means', () => {
  expect(renderChartReadme()).not.toMatch(/\|\s*\|$/m);
});
