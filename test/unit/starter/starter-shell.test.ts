import { describe, expect, test } from '@jest/globals';
import { readStarterShell } from '../../../services/features/shell/starter/index.ts';

const files = await readStarterShell();
const textOf = (path: string) => files.find((file) => file.path === path)?.bytes.toString('utf8') ?? '';
const templates = files.filter((file) => file.path.endsWith('.twig'));
const translations: Record<string, Record<string, string>> = JSON.parse(textOf('translations.json'));

const allowedExtensions = /\.(twig|css|js|json|woff2|svg|png|jpg|jpeg|gif|webp|avif|ico)$/;

describe('the starter shell', () => {
  test('has every template of the shell contract', () => {
    const paths = files.map((file) => file.path);
    for (const name of ['base', 'home', 'page', 'post', 'archive', '404']) expect(paths).toContain(`${name}.twig`);
  });

  test('has only paths and sizes that a shell write would take', () => {
    for (const { path, bytes } of files) {
      expect(path).toMatch(allowedExtensions);
      expect(path).toMatch(/^[a-z0-9]+[a-z0-9./-]*$/);
      expect(path).not.toContain('..');
      expect(bytes.length).toBeGreaterThan(0);
      expect(bytes.length).toBeLessThan(100_000);
    }
  });

  test('is a layout that the engine can put scripts into', () => {
    expect(textOf('base.twig')).toContain('</head>');
    expect(textOf('base.twig')).toContain('</body>');
  });

  test('includes and extends only files that are there', () => {
    for (const { path, bytes } of templates) {
      for (const [, name] of bytes.toString('utf8').matchAll(/\{%-? (?:include|extends) '([^']+)'/g)) {
        expect([path, name, textOf(name ?? '') !== '']).toEqual([path, name, true]);
      }
    }
  });

  test('refers to assets that are there', () => {
    for (const { bytes } of templates) {
      for (const [, name] of bytes.toString('utf8').matchAll(/asset\('([^']+)'\)/g))
        expect(textOf(name ?? '')).not.toBe('');
    }
  });

  test('stays within a strict Content-Security-Policy and asks no other host for anything', () => {
    for (const { path, bytes } of files) {
      const text = bytes.toString('utf8');
      expect([path, /<script|<style|\sstyle=|\son[a-z]+="|javascript:/i.test(text)]).toEqual([path, false]);
      expect([path, /(?:src|href)="https?:|url\(["']?https?:|@import/i.test(text)]).toEqual([path, false]);
      expect([path, /\|\s*raw\b/.test(text)]).toEqual([path, false]);
    }
  });

  test('uses logical properties, so that right-to-left pages mirror', () => {
    expect(textOf('style.css')).not.toMatch(
      /^\s*(?:margin|padding|border)-(?:left|right)|text-align: (?:left|right)|^\s*(?:left|right):/m,
    );
  });
});

describe('the translations of the starter shell', () => {
  const constants = templates.flatMap(({ bytes }) =>
    [...bytes.toString('utf8').matchAll(/\bt\('((?:[^'\\]|\\.)*)'\)/g)].map((match) => match[1] ?? ''),
  );
  const months = Array.from({ length: 12 }, (_, month) =>
    new Date(Date.UTC(2026, month)).toLocaleString('en', { month: 'long', timeZone: 'UTC' }),
  );

  test.each(Object.keys(translations))('%s has every string of the templates, and no other', (locale) => {
    expect(Object.keys(translations[locale] ?? {}).sort()).toEqual([...new Set([...constants, ...months])].sort());
  });

  test.each(Object.keys(translations))('%s keeps the placeholders', (locale) => {
    for (const [source, translated] of Object.entries(translations[locale] ?? {})) {
      const placeholders = source.includes('%F') ? ['%j', '%Y'] : (source.match(/%[a-z]/g) ?? []);
      for (const placeholder of placeholders) expect(translated).toContain(placeholder);
    }
  });
});
