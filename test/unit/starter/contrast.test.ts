import { describe, expect, test } from '@jest/globals';
import { readStarterShell } from '../../../services/features/shell/starter/index.ts';

type Palette = Record<string, { light: string; dark: string }>;

const css = (await readStarterShell()).find((file) => file.path === 'style.css')?.bytes.toString('utf8') ?? '';

/** Returns the relative luminance as WCAG 2 defines it. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

function readPalette(block: string): Palette {
  const declarations = block.matchAll(/--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/g);
  return Object.fromEntries(
    [...declarations].map(([, name = '', light, dark, both]) => [
      name,
      { light: light ?? both ?? '', dark: dark ?? both ?? '' },
    ]),
  );
}

const root = readPalette(/:root \{(.*?)\n\}/s.exec(css)?.[1] ?? '');
const accents = [...css.matchAll(/\[data-accent="(\w+)"\] \{(.*?)\n\}/gs)].map(
  ([, name = '', block = '']): [string, Palette] => [name, { ...root, ...readPalette(block) }],
);
const pairs = [
  ['ink', 'paper'],
  ['ink', 'raised'],
  ['soft', 'paper'],
  ['soft', 'raised'],
  ['accent', 'paper'],
  ['accent', 'raised'],
  ['on-block', 'block'],
  ['on-block-soft', 'block'],
] as const;

describe('text in the starter shell reaches WCAG AA', () => {
  test('and every accent of the documentation is checked', () => {
    expect(accents.map(([name]) => name)).toEqual(['tarn', 'slate', 'heather', 'rust']);
  });

  test.each([['lichen', root] as [string, Palette], ...accents])(
    'with the accent %s, light and dark',
    (_name, palette) => {
      for (const [text, ground] of pairs) {
        for (const scheme of ['light', 'dark'] as const) {
          expect(contrast(palette[text]?.[scheme] ?? '', palette[ground]?.[scheme] ?? '')).toBeGreaterThanOrEqual(4.5);
        }
      }
    },
  );
});
