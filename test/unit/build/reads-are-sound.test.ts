import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sized } from '../../harness/long-form.ts';
import { changes, startingPoint } from './edits.ts';
import { renderSnapshot, type Snapshot } from './snapshot.ts';

test('a page whose reads give the same values has the same bytes, whatever else changed', () => {
  const kinds = Object.keys(changes);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat(1000)), { minLength: 1, maxLength: 4 }),
      (script) => {
        const snapshot = startingPoint();
        const before = renderSnapshot(snapshot);
        expect(before.faults).toEqual([]);
        const values = new Map(
          [...before.pages.values()].flatMap(({ reads }) => reads.map((key) => [key, before.readValue(key)])),
        );
        for (const [kind, n] of script) changes[kind]!(snapshot, n);
        const after = renderSnapshot(snapshot);
        expect(after.faults).toEqual([]);
        for (const [path, page] of before.pages) {
          const unchanged = page.reads.every((key) => after.readValue(key) === values.get(key));
          if (unchanged) expect(after.pages.get(path)?.html).toBe(page.html);
        }
      },
    ),
    {
      numRuns: sized(50, 150),
      // the only French item is removed, or the language with it: its home, archive and feed stay, or are no longer
      // planned
      examples: [[[['removal', 13]]], [[['locales', 0]]]],
    },
  );
});

function stalePaths(change: (snapshot: Snapshot) => void): string[] {
  const snapshot = startingPoint();
  const before = renderSnapshot(snapshot);
  const values = new Map(
    [...before.pages.values()].flatMap(({ reads }) => reads.map((key) => [key, before.readValue(key)])),
  );
  change(snapshot);
  const after = renderSnapshot(snapshot);
  const stale = [...after.pages.keys()].filter(
    (path) => !before.pages.get(path)?.reads.every((key) => after.readValue(key) === values.get(key)),
  );
  return stale.sort();
}

test('a body that changed concerns its own page and the feed', () => {
  let path = '';
  const stale = stalePaths((snapshot) => {
    changes['body']!(snapshot, 0);
    path = `/posts/${snapshot.inputs.items[0]!.slug}/`;
  });
  expect(stale).toEqual(['/feed.xml', path].sort());
});

test('a new post leaves the older archive pages alone', () => {
  const stale = stalePaths((snapshot) => changes['addition']!(snapshot, 0));
  expect(stale.filter((path) => path.startsWith('/posts/page/'))).toEqual([]);
  expect(stale).toContain('/posts/');
  expect(stale).toContain('/');
});
