import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { chart, template } from './render.ts';

let whole: string;
const own = parse(readFileSync(path.join(chart, 'ci/minimal-values.yaml'), 'utf8')) as object;

beforeAll(() => {
  whole = mkdtempSync(path.join(tmpdir(), 'fieldstone-chart-'));
  cpSync(chart, path.join(whole, 'charts/fieldstone'), { recursive: true });
  const { version } = parse(readFileSync(path.join(chart, 'Chart.yaml'), 'utf8')) as { version: string };
  const dependencies = [{ name: 'fieldstone', version, condition: 'fieldstone.enabled' }];
  writeFileSync(
    path.join(whole, 'Chart.yaml'),
    stringify({ apiVersion: 'v2', name: 'platform', version: '1.0.0', dependencies }),
  );
});
afterAll(() => rmSync(whole, { recursive: true }));

test('as a part of another chart it is installed, or not, by its condition', () => {
  const on = template({ fieldstone: { ...own, enabled: true } }, [], whole);
  expect(on.error).toBe('');
  expect(on.text).toContain('name: demo-fieldstone-gateway');
  const off = template({ fieldstone: { ...own, enabled: false } }, [], whole);
  expect(off).toEqual({ text: expect.not.stringContaining('kind:'), error: '' });
});
