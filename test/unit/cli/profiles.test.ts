import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { profilesPath, readProfiles, removeProfile, saveProfile } from '../../../services/cli/remote/profiles.ts';

const folders: string[] = [];
let file: string;
beforeEach(() => {
  const folder = mkdtempSync(path.join(tmpdir(), 'fieldstone-profiles-'));
  folders.push(folder);
  file = profilesPath({ XDG_CONFIG_HOME: folder });
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const work = { url: 'https://cms.example.com', key: 'fs_work' };
const home = { url: 'http://localhost:8080', key: 'fs_home' };

test('profiles are kept in a file that only their owner can read', async () => {
  expect(await readProfiles(file)).toEqual(new Map());
  await saveProfile('work', work, file);
  await saveProfile('home', home, file);
  await saveProfile('work', { ...work, key: 'fs_new' }, file);
  expect(await readProfiles(file)).toEqual(new Map(Object.entries({ work: { ...work, key: 'fs_new' }, home })));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  expect(readdirSync(path.dirname(file))).toEqual(['profiles.json']);
});

test('a removed profile leaves the others', async () => {
  await saveProfile('work', work, file);
  await saveProfile('home', home, file);
  await removeProfile('work', file);
  expect(await readProfiles(file)).toEqual(new Map([['home', home]]));
  await expect(removeProfile('work', file)).rejects.toMatchObject({ code: 'not_found' });
});

test('a file that others can read is not used, and not replaced', async () => {
  await saveProfile('work', work, file);
  chmodSync(file, 0o640);
  await expect(readProfiles(file)).rejects.toThrow(/chmod 600/);
  await expect(saveProfile('home', home, file)).rejects.toThrow(/chmod 600/);
  expect(readFileSync(file, 'utf8')).not.toContain('fs_home');
});

test.each(['{', '[]', '{"profiles":{"work":{"url":1}}}'])('a damaged file is an error: %s', async (text) => {
  await saveProfile('work', work, file);
  writeFileSync(file, text);
  await expect(readProfiles(file)).rejects.toThrow(/is damaged/);
});

test.each(['', '-x', 'a b', '../x', 'x'.repeat(65)])('"%s" is no name of a profile', async (name) => {
  await expect(saveProfile(name, work, file)).rejects.toMatchObject({ code: 'usage' });
});
