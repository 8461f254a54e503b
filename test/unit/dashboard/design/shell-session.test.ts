import { beforeEach, expect, test } from '@jest/globals';
import { Problem } from '../../../../services/dashboard/app/problem.ts';
import { type FileRequests, ShellSession } from '../../../../services/dashboard/views/design/shell-session.ts';

// A service with the files of one shell, as the API behaves. Others change `stored` directly.
let stored: Map<string, string>;
let failure: Problem | null;
let session: ShellSession;

const tagOf = (text: string | undefined) => (text === undefined ? undefined : `"${text}"`);
const requests: FileRequests = {
  async read(path) {
    const text = stored.get(path);
    return text === undefined ? null : { text, etag: tagOf(text)! };
  },
  async write(path, text, expected) {
    if (failure) throw failure;
    if ((tagOf(stored.get(path)) ?? null) !== expected)
      throw new Problem('changed', { status: 412, code: 'precondition_failed' });
    stored.set(path, text);
    return { etag: tagOf(text)!, warnings: [] };
  },
};
const file = (path = 'a.css') => session.files().get(path)!;

beforeEach(async () => {
  stored = new Map([['a.css', 'old']]);
  failure = null;
  session = new ShellSession(requests);
  await session.open('a.css');
});

test('a changed file is unsaved until it is saved', async () => {
  expect(session.unsaved()).toEqual([]);
  session.edit('a.css', 'mine');
  expect(session.unsaved().map(({ path }) => path)).toEqual(['a.css']);
  expect(await session.save('a.css')).toBe(true);
  expect([stored.get('a.css'), session.unsaved()]).toEqual(['mine', []]);
});

test('what is typed while a file is saved stays unsaved', async () => {
  session.edit('a.css', 'mine');
  const saving = session.save('a.css');
  session.edit('a.css', 'more');
  await saving;
  expect([stored.get('a.css'), file().text, session.unsaved().length]).toEqual(['mine', 'more', 1]);
});

test('a version of another user is a conflict with both texts; nothing is overwritten until the user chooses', async () => {
  session.edit('a.css', 'mine');
  stored.set('a.css', 'theirs');
  expect(await session.save('a.css')).toBe(false);
  expect([stored.get('a.css'), file().text, file().conflict?.theirs?.text]).toEqual(['theirs', 'mine', 'theirs']);
  expect(await session.save('a.css')).toBe(false);
  expect(await session.keepMine('a.css')).toBe(true);
  expect([stored.get('a.css'), file().conflict]).toEqual(['mine', null]);
});

test('a third version during the choice is one more conflict', async () => {
  session.edit('a.css', 'mine');
  stored.set('a.css', 'theirs');
  await session.save('a.css');
  stored.set('a.css', 'newer');
  expect(await session.keepMine('a.css')).toBe(false);
  expect([stored.get('a.css'), file().conflict?.theirs?.text]).toEqual(['newer', 'newer']);
});

test('the stored version can be used, and the own text comes back', async () => {
  session.edit('a.css', 'mine');
  stored.set('a.css', 'theirs');
  await session.save('a.css');
  expect(session.takeTheirs('a.css')).toBe('mine');
  expect([file().text, file().conflict, session.unsaved()]).toEqual(['theirs', null, []]);
});

test('a file that another user has deleted is created again only when the user says so', async () => {
  session.edit('a.css', 'mine');
  stored.delete('a.css');
  expect(await session.save('a.css')).toBe(false);
  expect([stored.size, file().conflict]).toEqual([0, { theirs: null }]);
  expect(await session.keepMine('a.css')).toBe(true);
  expect(stored.get('a.css')).toBe('mine');
});

test('a save whose response was lost is not a conflict', async () => {
  session.edit('a.css', 'mine');
  stored.set('a.css', 'mine');
  expect(await session.save('a.css')).toBe(true);
  expect([file().conflict, session.unsaved()]).toEqual([null, []]);
});

test('a failure is shown until the next edit, and the text stays', async () => {
  session.edit('a.css', 'mine');
  failure = new Problem('full', { status: 413, code: 'too_large' });
  expect(await session.save('a.css')).toBe(false);
  expect([file().problem?.message, file().text]).toEqual(['full', 'mine']);
  session.edit('a.css', 'mine too');
  expect(file().problem).toBeNull();
});

test('changes are discarded and come back; a renamed file keeps its unsaved text', () => {
  session.edit('a.css', 'mine');
  expect(session.discard('a.css')).toBe('mine');
  expect(file().text).toBe('old');
  session.edit('a.css', 'mine');
  session.rename('a.css', 'b.css', { text: 'old', etag: '"old"' });
  expect([session.files().has('a.css'), file('b.css').text, session.unsaved().length]).toEqual([false, 'mine', 1]);
  expect(file('b.css').conflict).toBeNull();
});

test('a rename shows what another user has changed, as a conflict if there is unsaved text', async () => {
  const theirs = { text: 'theirs', etag: '"theirs"' };
  session.rename('a.css', 'b.css', theirs);
  expect([file('b.css').text, file('b.css').conflict, session.unsaved()]).toEqual(['theirs', null, []]);
  await session.open('a.css');
  session.edit('a.css', 'mine');
  session.rename('a.css', 'c.css', theirs);
  expect([file('c.css').text, file('c.css').conflict]).toEqual(['mine', { theirs }]);
});

test('a file that is renamed while it is saved can be saved again', async () => {
  session.edit('a.css', 'mine');
  const saving = session.save('a.css');
  session.rename('a.css', 'b.css', { text: 'mine', etag: '"mine"' });
  await saving;
  expect([file('b.css').isSaving, file('b.css').conflict, session.unsaved()]).toEqual([false, null, []]);
});

test('a file that does not exist is not opened', async () => {
  expect([await session.open('x.css'), session.files().has('x.css')]).toEqual([false, false]);
});

test('saving all files names those that are saved and those that are not', async () => {
  stored.set('b.css', 'old');
  await session.open('b.css');
  session.edit('a.css', 'mine');
  session.edit('b.css', 'mine');
  stored.set('a.css', 'theirs');
  expect(await session.saveAll()).toEqual({ saved: ['b.css'], failed: ['a.css'] });
});
