import { beforeEach, expect, jest, test } from '@jest/globals';
import { Problem } from '../../../services/dashboard/app/problem.ts';
import type { Item } from '../../../services/dashboard/views/content/content-view.ts';
import {
  type DraftRequests,
  DraftSession,
  type Members,
} from '../../../services/dashboard/views/content/item/draft-session.ts';

// A service with one item and its draft, as the API behaves (docs/decisions/0210 and 0212). Others change it directly.
let item: Record<string, unknown>;
let draft: Record<string, unknown> | null;
let requests: string[];
let failure: Error | null;
/** Fails applying alone. */
let applyFailure: Error | null;
const warnings: never[] = [];

const tagOf = (record: object): string => JSON.stringify(record);
const problem = (status: number, code: string, details: { path: string; message: string }[] = []) =>
  new Problem(code, { status, code, details });
const conflicts = (members: object) => Object.keys(members).filter((name) => item[name] !== base[name] && name in item);
let base: Record<string, unknown>;

function requireTag(tag: string | null, record: object | null): void {
  if (tag !== null && (record === null || tag !== tagOf(record))) throw problem(412, 'precondition_failed');
}

const draftRecord = () => ({ ...draft, id: 'x', conflicts: conflicts(draft!), warnings, base_rev: '1', by: null });
const tagged = (record: object) => structuredClone({ data: record as never, etag: tagOf(record) });

function send<T>(name: string, work: () => T): Promise<T> {
  requests.push(name);
  if (failure) return Promise.reject(failure);
  return Promise.resolve().then(work);
}

const service: DraftRequests = {
  readItem: () => send('readItem', () => tagged(item)),
  readDraft: () => send('readDraft', () => (draft ? tagged(draftRecord()) : null)),
  putDraft: (members, ifMatch, isNew) =>
    send('putDraft', () => {
      if (isNew && draft) throw problem(412, 'precondition_failed');
      requireTag(ifMatch, draft && draftRecord());
      if (!draft) base = { ...item };
      draft = { ...members };
      return tagged(draftRecord());
    }),
  deleteDraft: (ifMatch) =>
    send('deleteDraft', () => {
      requireTag(ifMatch, draft && draftRecord());
      draft = null;
    }),
  applyDraft: (ifMatch) =>
    send('applyDraft', () => {
      if (applyFailure) throw applyFailure;
      requireTag(ifMatch, item);
      const both = conflicts(draft!);
      const details = both.map((path) => ({ path, message: 'changed' }));
      if (ifMatch === null && both.length > 0) throw problem(409, 'draft_conflict', details);
      item = { ...item, ...draft };
      draft = null;
      return tagged(item);
    }),
};

beforeEach(() => {
  item = { id: 'x', title: 'One', excerpt: null, body_html: '<p>a</p>', status: 'draft', tags: [], warnings };
  draft = null;
  base = { ...item };
  requests = [];
  failure = null;
  applyFailure = null;
});

async function open(): Promise<DraftSession> {
  const stored = await service.readDraft();
  const session = new DraftSession(service, tagged(item) as never, stored);
  requests = [];
  return session;
}

const stored = (): Members | null => draft as Members | null;

test('changes are saved to the draft after a pause, in one request, and the item stays as it is', async () => {
  jest.useFakeTimers();
  try {
    const session = await open();
    session.change({ title: 'T' });
    session.change({ title: 'Two' });
    session.bodyChanged(() => '<p>b</p>');
    expect(session.state().saving).toBe('dirty');
    expect(requests).toEqual([]);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(requests).toEqual(['putDraft']);
    expect(stored()).toEqual({ title: 'Two', body_html: '<p>b</p>' });
    expect(session.state()).toMatchObject({ saving: 'saved', item: { title: 'One' } });
  } finally {
    jest.useRealTimers();
  }
});

test('a member that is as in the item again is not a change, and a draft without changes is deleted', async () => {
  const session = await open();
  session.change({ title: 'Two', tags: ['a'] });
  await session.save();
  session.change({ title: 'One', tags: [] });
  await session.save();
  expect(requests).toEqual(['putDraft', 'deleteDraft']);
  expect(draft).toBeNull();
});

test('a failed request is told, and the next one sends all changes', async () => {
  const session = await open();
  failure = problem(0, 'unreachable');
  session.change({ title: 'Two' });
  expect(await session.save()).toBe(false);
  expect(session.state()).toMatchObject({ saving: 'failed', problem: { code: 'unreachable' } });
  failure = null;
  session.change({ excerpt: 'b' });
  expect(await session.save()).toBe(true);
  expect(stored()).toEqual({ title: 'Two', excerpt: 'b' });
});

test('what is typed while a request runs is saved by the next one', async () => {
  const session = await open();
  session.change({ title: 'Two' });
  const first = session.save();
  session.change({ title: 'Three' });
  await first;
  await session.save();
  expect(stored()).toEqual({ title: 'Three' });
  expect(session.state().saving).toBe('saved');
});

test('applying saves first, with further members, and what is typed meanwhile stays a change', async () => {
  const session = await open();
  session.change({ title: 'Two' });
  const done = session.apply({ status: 'published' });
  session.change({ excerpt: 'later' });
  expect(await done).toBe(true);
  expect(item).toMatchObject({ title: 'Two', status: 'published' });
  await session.save();
  expect({ ...item, ...draft }).toMatchObject({ title: 'Two', excerpt: 'later' });
});

test.each([
  ['putDraft', 'another value', 'Three'],
  ['putDraft', 'the value of before', 'One'],
  ['applyDraft', 'another value', 'Three'],
  ['applyDraft', 'the value of before', 'One'],
] as const)('what is typed during %s of an apply stays a change: %s', async (name, _what, title) => {
  const session = await open();
  const original = service[name];
  try {
    Object.assign(service, {
      [name]: (...args: never[]) => {
        const reply = (original as (...all: never[]) => Promise<unknown>)(...args);
        session.change({ title });
        return reply;
      },
    });
    session.change({ title: 'Two' });
    expect(await session.apply({ status: 'published' })).toBe(true);
  } finally {
    Object.assign(service, { [name]: original });
  }
  expect(item).toMatchObject({ title: 'Two', status: 'published' });
  expect(session.state()).toMatchObject({ changes: { title }, saving: 'dirty' });
  expect(await session.save()).toBe(true);
  expect(stored()).toEqual({ title });
});

test('a change of another member by another user is not a conflict, and does not stop saving', async () => {
  const session = await open();
  session.change({ title: 'Two' });
  await session.save();
  item = { ...item, excerpt: 'theirs' };
  session.change({ title: 'Three' });
  expect(await session.save()).toBe(true);
  expect(await session.apply()).toBe(true);
  expect(item).toMatchObject({ title: 'Three', excerpt: 'theirs' });
  expect(session.state().item).toMatchObject({ excerpt: 'theirs' });
});

test.each(['keepMine', 'takeTheirs'] as const)(
  'a conflict with the item is shown with its members: %s',
  async (choice) => {
    const session = await open();
    session.change({ title: 'Mine', excerpt: 'mine' });
    await session.save();
    item = { ...item, title: 'Theirs' };
    expect(await session.apply()).toBe(false);
    expect(session.state().conflict).toMatchObject({
      kind: 'item',
      members: ['title'],
      theirs: { data: { title: 'Theirs' } },
    });
    expect(await session.save()).toBe(false);
    expect(await session[choice]()).toBe(true);
    expect(session.state().conflict).toBeNull();
    if (choice === 'keepMine') expect(item).toMatchObject({ title: 'Mine', excerpt: 'mine' });
    else {
      expect(session.state().changes).toEqual({ excerpt: 'mine' });
      expect(stored()).toEqual({ excerpt: 'mine' });
    }
  },
);

test('a draft that was saved elsewhere is not overwritten before the person has chosen', async () => {
  const session = await open();
  session.change({ title: 'Mine' });
  await session.save();
  draft = { title: 'Elsewhere' };
  session.change({ title: 'Mine too' });
  expect(await session.save()).toBe(false);
  expect(session.state().conflict).toEqual({ kind: 'draft' });
  expect(stored()).toEqual({ title: 'Elsewhere' });
  expect(await session.keepMine()).toBe(true);
  expect(stored()).toEqual({ title: 'Mine too' });
});

test.each(['keepMine', 'takeTheirs'] as const)(
  'a draft that another user made after the page opened is not replaced by the first save: %s',
  async (choice) => {
    const session = await open();
    draft = { title: 'Elsewhere' };
    session.change({ title: 'Mine' });
    expect(await session.save()).toBe(false);
    expect(session.state().conflict).toEqual({ kind: 'draft' });
    expect(stored()).toEqual({ title: 'Elsewhere' });
    expect(await session[choice]()).toBe(true);
    const title = choice === 'keepMine' ? 'Mine' : 'Elsewhere';
    expect([stored(), session.state().changes]).toEqual([{ title }, { title }]);
  },
);

test('a draft that another user made after this one was applied is not replaced', async () => {
  const session = await open();
  session.change({ title: 'Two' });
  expect(await session.apply()).toBe(true);
  draft = { title: 'Two' };
  session.change({ title: 'Three' });
  expect(await session.save()).toBe(false);
  expect(stored()).toEqual({ title: 'Two' });
});

test.each([
  ['before', false],
  ['after', true],
])('taking theirs keeps a body that is not in conflict and was edited %s a save', async (_when, isSaved) => {
  const session = await open();
  session.change({ title: 'Mine' });
  await session.save();
  item = { ...item, title: 'Theirs' };
  expect(await session.apply()).toBe(false);
  session.bodyChanged(() => '<p>mine</p>');
  if (isSaved) expect(await session.save()).toBe(false);
  expect(await session.takeTheirs()).toBe(true);
  expect(session.state()).toMatchObject({ item: { title: 'Theirs' }, changes: { body_html: '<p>mine</p>' } });
  expect(stored()).toEqual({ body_html: '<p>mine</p>' });
});

test('a publish that fails leaves no status in the draft, and what was scheduled stays', async () => {
  const session = await open();
  session.change({ title: 'Two', scheduled_at: '2999-01-01T00:00:00Z' });
  await session.save();
  applyFailure = problem(500, 'internal');
  expect(await session.apply({ status: 'published', scheduled_at: null })).toBe(false);
  const changes = { title: 'Two', scheduled_at: '2999-01-01T00:00:00Z' };
  expect(session.state()).toMatchObject({ saving: 'failed', problem: { code: 'internal' } });
  expect([session.state().changes, stored()]).toEqual([changes, changes]);
  failure = problem(0, 'unreachable');
  expect(await session.apply({ status: 'published' })).toBe(false);
  expect(session.state().changes).toEqual(changes);
});

test.each(['keepMine', 'takeTheirs'] as const)(
  'a publish in conflict leaves no status in the draft until it is chosen: %s',
  async (choice) => {
    const session = await open();
    session.change({ title: 'Mine', excerpt: 'mine' });
    await session.save();
    item = { ...item, title: 'Theirs' };
    expect(await session.apply({ status: 'published' })).toBe(false);
    expect(stored()).toEqual({ title: 'Mine', excerpt: 'mine' });
    expect(await session[choice]()).toBe(true);
    const kept = { title: 'Mine', excerpt: 'mine', status: 'published' };
    expect(item).toMatchObject(choice === 'keepMine' ? kept : { title: 'Theirs', excerpt: null, status: 'draft' });
    expect(stored()).toEqual(choice === 'keepMine' ? null : { excerpt: 'mine' });
  },
);

test('discarded changes can be shown again', async () => {
  const session = await open();
  session.change({ title: 'Mine' });
  await session.save();
  const { version } = session.state();
  const before = await session.discard();
  expect(draft).toBeNull();
  expect(session.state()).toMatchObject({ changes: {}, version: version + 1 });
  await session.reinstate(before);
  expect(stored()).toEqual({ title: 'Mine' });
});

test('a draft that is there when the page opens is shown, with its conflicts', async () => {
  draft = { title: 'Mine' };
  item = { ...item, title: 'Theirs' };
  const session = await open();
  expect(session.state()).toMatchObject({ changes: { title: 'Mine' }, conflict: { kind: 'item', members: ['title'] } });
});

test('keeping mine of a conflict from before the page opened saves the draft, which wins when it is applied', async () => {
  draft = { title: 'Mine' };
  item = { ...item, title: 'Theirs' };
  const session = await open();
  expect(await session.keepMine()).toBe(true);
  expect([item['title'], stored(), session.state().conflict]).toEqual(['Theirs', { title: 'Mine' }, null]);
  expect(requests).not.toContain('applyDraft');
  expect(await session.apply({ status: 'published' })).toBe(true);
  expect(item).toMatchObject({ title: 'Mine', status: 'published' });
});

test('a change of the item after mine was kept is a conflict again', async () => {
  draft = { title: 'Mine' };
  item = { ...item, title: 'Theirs' };
  const session = await open();
  await session.keepMine();
  item = { ...item, title: 'Theirs again' };
  expect(await session.apply()).toBe(false);
  expect(session.state().conflict).toMatchObject({ kind: 'item', theirs: { data: { title: 'Theirs again' } } });
  expect(await session.keepMine()).toBe(true);
  expect(item).toMatchObject({ title: 'Mine' });
});

test('reading again waits for a save that runs, and what was typed before is not saved afterwards', async () => {
  jest.useFakeTimers();
  try {
    const session = await open();
    session.change({ title: 'Two' });
    await Promise.all([session.save(), session.reload()]);
    expect(requests).toEqual(['putDraft', 'readItem', 'readDraft']);
    session.change({ title: 'Three' });
    await session.reload();
    expect(session.state()).toMatchObject({ changes: { title: 'Two' }, saving: 'saved' });
    await jest.advanceTimersByTimeAsync(5_000);
    expect(requests.filter((name) => name === 'putDraft')).toHaveLength(1);
  } finally {
    jest.useRealTimers();
  }
});

test('a body that the service cleaned is shown as it is stored', async () => {
  const session = await open();
  session.bodyChanged(() => '<p style="x">b</p>');
  const { version } = session.state();
  const apply = service.applyDraft;
  service.applyDraft = async (tag) => {
    const { etag } = await apply(tag);
    item = { ...item, body_html: '<p>b</p>' };
    return { data: item as Item, etag };
  };
  await session.apply();
  service.applyDraft = apply;
  expect(session.state()).toMatchObject({ version: version + 1, changes: {}, item: { body_html: '<p>b</p>' } });
});
