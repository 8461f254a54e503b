import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  type FileTask,
  failWork,
  insertMedia,
  type MediaState,
  mediaStates,
  mediaTransitions,
  noteProgress,
  type Outcome,
  replaceVersion,
  saveWork,
} from '../../../services/features/media/media-state.ts';
import type { MediaRow, MediaVersion, MediaWork } from '../../../services/features/media/row.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();
const siteId = randomUUID();
beforeAll(async () => {
  await own.db.query(
    `INSERT INTO sites (id, slug, name, default_locale, locales, settings) VALUES ($1, 's', 's', 'en', '[]'::JSONB, '{}'::JSONB)`,
    [siteId],
  );
}, 120_000);

type Name = keyof typeof mediaTransitions;
const states = Object.keys(mediaStates) as MediaState[];

/** The columns of an item in each state. */
const columnsOf: Record<MediaState, { status: string; work: MediaWork | null }> = {
  processing: { status: 'processing', work: 'video' },
  refining: { status: 'ready', work: 'avif' },
  ready: { status: 'ready', work: null },
  failed: { status: 'failed', work: null },
};

async function insertIn(state: MediaState): Promise<MediaRow> {
  const { status, work } = columnsOf[state];
  const [row] = await own.db.query<MediaRow>(
    `INSERT INTO media (site_id, kind, filename, mime_type, bytes, sha256, status, variants, work)
     VALUES ($1, 'image', 'a.png', 'image/png', 1, 'hash', $2, '[]'::JSONB, $3) RETURNING *`,
    [siteId, status, work],
  );
  return row!;
}

const readRow = async (id: string) =>
  (await own.db.query<Record<string, unknown>>('SELECT * FROM media WHERE id = $1', [id]))[0];

/** Returns the states whose condition the row meets, which must be exactly one. */
async function stateOf(id: string): Promise<string> {
  const met = states.map((state) => `CASE WHEN ${mediaStates[state]} THEN ',${state}' ELSE '' END`).join(' || ');
  const [row] = await own.db.query<{ met: string }>(`SELECT ${met} AS met FROM media WHERE id = $1`, [id]);
  return row!.met.slice(1);
}

interface Case {
  transition: Exclude<Name, 'insertMedia' | 'replaceVersion'>;
  /** The resulting state for each state in which the transition is allowed. */
  to: Partial<Record<MediaState, MediaState>>;
  /** Whether it reports that it changed the item. */
  run(task: FileTask): Promise<boolean>;
}

const progress = { stage: 'video', done: 1, total: 2 } as const;
const save = (next: MediaWork | null, status: Outcome['status']) => (task: FileTask) =>
  saveWork(own.db, task, { variants: [], progress, next, status });

const cases: Case[] = [
  {
    transition: 'noteProgress',
    to: { processing: 'processing', refining: 'refining' },
    run: (task) => noteProgress(own.db, task, progress),
  },
  {
    transition: 'saveWork',
    to: { processing: 'processing', refining: 'processing' },
    run: save('video', 'processing'),
  },
  { transition: 'saveWork', to: { processing: 'refining', refining: 'refining' }, run: save('avif', 'ready') },
  { transition: 'saveWork', to: { processing: 'ready', refining: 'ready' }, run: save(null, 'ready') },
  {
    transition: 'failWork',
    to: { processing: 'failed', refining: 'ready' },
    run: (task) => failWork(own.db, task, 'The image is broken.'),
  },
];

const ofWork = (name: string) => name !== 'insertMedia' && name !== 'replaceVersion';

test.each(Object.keys(mediaTransitions).filter(ofWork) as Case['transition'][])(
  'the cases make %s from every state that it leaves to every state that it leads to',
  (name) => {
    const tested = cases.filter(({ transition }) => transition === name).map(({ to }) => to);
    const { from, to } = mediaTransitions[name];
    expect([...new Set(tested.flatMap((one) => Object.keys(one)))].sort()).toEqual([...from].sort());
    expect([...new Set(tested.flatMap((one) => Object.values(one)))].sort()).toEqual([...to].sort());
  },
);

describe.each(cases)('$transition → $to.processing', ({ to, run }) => {
  for (const state of states) {
    const reached = to[state];
    test(`${reached ? 'changes' : 'does not change'} an item that is ${state}, and says so`, async () => {
      const { id, work } = await insertIn(state);
      expect(await stateOf(id)).toBe(state);
      const before = await readRow(id);
      const works: MediaWork[] = work ? [work] : ['variants', 'avif', 'video'];
      for (const one of works) expect(await run({ id, work: one, sha256: 'hash' })).toBe(reached !== undefined);
      expect(await stateOf(id)).toBe(reached ?? state);
      if (reached) expect(await readRow(id)).not.toEqual(before);
      else expect(await readRow(id)).toEqual(before);
    });
  }

  test('changes nothing when the file was replaced meanwhile, and says so', async () => {
    const { id } = await insertIn('processing');
    const before = await readRow(id);
    expect(await run({ id, work: 'video', sha256: 'former' })).toBe(false);
    expect(await readRow(id)).toEqual(before);
  });

  test('changes nothing when the item waits for other work, and says so', async () => {
    const { id } = await insertIn('processing');
    const before = await readRow(id);
    expect(await run({ id, work: 'variants', sha256: 'hash' })).toBe(false);
    expect(await readRow(id)).toEqual(before);
    expect(await run({ id: randomUUID(), work: 'video', sha256: 'hash' })).toBe(false);
  });
});

test.each([
  ['video', 'processing'],
  [null, 'ready'],
] as const)('an item with the work %j begins as %s', async (work, state) => {
  const file = {
    kind: 'video',
    filename: 'a.mp4',
    mime_type: 'video/mp4',
    bytes: 1,
    sha256: 'hash',
    width: null,
    height: null,
    work,
  } as const;
  const { id } = await insertMedia(own.db, {
    ...file,
    siteId,
    alt: null,
    decorative: false,
    focalPoint: null,
    sourceUrl: null,
    createdBy: null,
  });
  expect(await stateOf(id)).toBe(state);
});

describe.each(states)('an item that is %s', (from) => {
  test.each(states)('becomes one that is %s with such a version, and keeps the former version', async (to) => {
    const { id } = await insertIn(from);
    const { status, work } = columnsOf[to];
    const versionOf = (sha256: string, state: Pick<MediaVersion, 'status' | 'work'>): MediaVersion => ({
      filename: 'b.png',
      mime_type: 'image/png',
      bytes: 2,
      sha256,
      width: null,
      height: null,
      duration: null,
      alt: null,
      alt_stand_in: false,
      decorative: true,
      focal_point: null,
      error: null,
      variants: [],
      placeholder: null,
      ...state,
    });
    const next = versionOf('other', { status, work } as Pick<MediaVersion, 'status' | 'work'>);
    const former = versionOf('hash', columnsOf[from] as Pick<MediaVersion, 'status' | 'work'>);
    const row = await replaceVersion(own.db, { id, site_id: siteId }, next, former);
    expect(row).toMatchObject({ ...next, id, previous: former });
    expect(await stateOf(id)).toBe(to);
  });

  test('is not replaced in the trash', async () => {
    const { id } = await insertIn(from);
    await own.db.query('UPDATE media SET trashed_at = now() WHERE id = $1', [id]);
    const before = await readRow(id);
    const version = { ...before, variants: [] } as unknown as MediaVersion;
    expect(await replaceVersion(own.db, { id, site_id: siteId }, version, version)).toBeUndefined();
    expect(await readRow(id)).toEqual(before);
  });
});
