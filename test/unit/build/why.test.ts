import { describe, expect, test } from '@jest/globals';
import type { BaseRelease } from '../../../services/build/base-release.ts';
import { choosePages, whyOf } from '../../../services/build/choose.ts';
import type { PagePlan } from '../../../services/build/page-plan.ts';
import { reads } from '../../../services/build/reads.ts';
import { patchReads } from '../../../services/build/release-tree/trace-tree.ts';
import type { Trace } from '../../../services/build/trace.ts';
import { renderVersion } from '../../../services/build/version.ts';
import { describeReason, findWhy, reasonKinds, summarizeWhy } from '../../../services/build/why.ts';

type Values = Record<string, string>;
const valuesIn = (table: Values) => (key: string) => table[key] ?? '';

function release(id: string, pages: Record<string, string[]>, table: Values, version = renderVersion): BaseRelease {
  const written = new Map(Object.entries(pages).map(([path, keys]) => [path, { reads: keys }]));
  const tree = patchReads(null, written, new Set(), valuesIn(table));
  return { id, trace: { version, tree }, manifest: {} as BaseRelease['manifest'] };
}

const planOf = (path: string) => ({ plan: { path } as PagePlan, template: '' });

/** What the next release says of these pages when the reads have these values. */
function build(paths: string[], bases: BaseRelease[], replaces: string | null, table: Values) {
  const planned = new Map(paths.map((path) => [path, planOf(path)]));
  const why = whyOf(choosePages(planned, bases, replaces, valuesIn(table)));
  const trace = { pages: Object.fromEntries(paths.map((path) => [path, []])), why } as unknown as Trace;
  return { why, of: (path: string) => findWhy(trace, path) };
}

describe('a page of a release', () => {
  const pages = { '/': ['item:a', 'shell:home.twig'], '/b/': ['item:b'] };
  const table = { 'item:a': '1', 'item:b': '1', 'shell:home.twig': '1' };
  const live = release('live', pages, table);

  test('that was rendered names the reads that have changed', () => {
    const { of } = build(['/', '/b/'], [live], 'live', { ...table, 'item:a': '2', 'shell:home.twig': '2' });
    expect(of('/')).toEqual({
      rendered: true,
      reasons: [
        { kind: 'item', id: 'a' },
        { kind: 'template', name: 'home.twig' },
      ],
    });
    expect(of('/b/')).toEqual({ rendered: false, reasons: [] });
  });

  test('that is new, or was made by another version, says so', () => {
    expect(build(['/c/'], [live], 'live', table).of('/c/')).toEqual({ rendered: true, reasons: [{ kind: 'new' }] });
    expect(build(['/'], [], null, table).of('/')).toEqual({ rendered: true, reasons: [{ kind: 'new' }] });
    const old = release('old', pages, table, 'another');
    expect(build(['/'], [old], 'old', table).of('/')).toEqual({ rendered: true, reasons: [{ kind: 'version' }] });
  });

  test('that a preview had already is reused, for the reasons why it differs from the replaced release', () => {
    const now = { ...table, 'shell:home.twig': '2' };
    const preview = release('preview', pages, now);
    expect(build(['/', '/b/'], [live, preview], 'live', now).of('/')).toEqual({
      rendered: false,
      reasons: [{ kind: 'template', name: 'home.twig' }],
    });
  });

  test('that this build had rendered before it began again counts as rendered', () => {
    const now = { ...table, 'item:a': '2' };
    const unfinished: BaseRelease = { ...release('x', { '/': pages['/'] }, now), isUnfinished: true };
    expect(build(['/'], [live, unfinished], 'live', now).of('/')?.rendered).toBe(true);
    const first = release('y', pages, now);
    first.trace.why = { sets: [['item:a']], rendered: { '/': 0 }, reused: {} };
    const pass: BaseRelease = { ...first, isSameBuild: true };
    expect(build(['/'], [live, pass], 'live', now).of('/')?.rendered).toBe(true);
    pass.trace.why = { sets: [['item:a']], rendered: {}, reused: { '/': 0 } };
    expect(build(['/'], [live, pass], 'live', now).of('/')?.rendered).toBe(false);
  });

  test('of a release from before reasons were kept is not known, and a path that is no page is undefined', () => {
    const trace = { pages };
    expect(findWhy(trace, '/')).toEqual({ rendered: null, reasons: [] });
    for (const path of ['/c/', '__proto__', 'constructor']) expect(findWhy(trace, path)).toBeUndefined();
  });
});

test('pages with the same reasons share them', () => {
  const paths = Array.from({ length: 1000 }, (_, n) => `/${n}/`);
  const table = { site: '1' };
  const live = release('live', Object.fromEntries(paths.map((path) => [path, ['site']])), table);
  const { why } = build(paths, [live], 'live', { site: '2' });
  expect(why.sets).toEqual([['site']]);
  expect(Object.keys(why.rendered)).toHaveLength(1000);
});

test('a summary counts each page once for every kind of reason', () => {
  const sets = [['item:a', 'item:b', 'site'], ['new']];
  const why = { sets, rendered: { '/': 0, '/new/': 1, '/feed.xml': 0 }, reused: { '/c/': 0 } };
  expect(summarizeWhy(why, 4, (path) => path !== '/feed.xml')).toEqual({
    rendered: 2,
    reused: 2,
    reasons: { item: 2, site: 2, new: 1 },
  });
});

// rule: beyond.16
test('every read that a page can make has words of its own', () => {
  const id = '4f9c2c52-6f0e-4a5b-9d0c-6a4f6f1b2c3d';
  const keys = [
    ...[reads.site, reads.target, reads.scripts, reads.homes, reads.plan('/'), reads.item(id), reads.pages('en')],
    ...[reads.posts({ locale: 'en', tag: null, offset: 0, limit: 10 }), reads.archive('en', 0, 10)],
    ...[reads.postCount('en'), reads.translations(id), reads.media(id), reads.shell('css/a.css')],
    ...[reads.shell('post.twig'), reads.component('card')],
  ];
  expect(keys).toHaveLength(Object.keys(reads).length - 1 + 1); // `missing` is no read; two kinds of shell files
  const kinds = keys.map((key) => describeReason(key).kind);
  expect([...kinds, 'new', 'version'].sort()).toEqual([...reasonKinds].sort());
  expect(describeReason(keys[7]!)).toEqual({ kind: 'posts', locale: 'en', tag: null, offset: 0, limit: 10 });
  expect(() => describeReason('unknown:x')).toThrow('no reason');
});
