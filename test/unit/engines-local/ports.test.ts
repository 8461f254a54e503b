import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { choosePorts, findPortFault } from '../../../services/engines-local/ports.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'fs-ports-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('ports are kept from one start to the next, and each name has its own', async () => {
  const first = await choosePorts(folder, ['a', 'b']);
  expect(first.a).not.toBe(first.b);
  expect(await choosePorts(folder, ['b', 'a'])).toEqual(first);
  expect(await choosePorts(folder, ['c'])).toEqual({ c: expect.any(Number) });
  expect(await choosePorts(folder, ['a', 'b'])).toEqual(first);
});

test('a port that is reserved for another is not chosen, also when it was before', async () => {
  const { a } = await choosePorts(folder, ['a']);
  expect(await findPortFault(a)).toBeNull();
  expect((await choosePorts(folder, ['a'], [a])).a).not.toBe(a);
});

test('a port that somebody took meanwhile is replaced', async () => {
  const { a } = await choosePorts(folder, ['a']);
  const server = createServer().listen(a, '127.0.0.1');
  await once(server, 'listening');
  try {
    expect(await findPortFault(a)).toBe('EADDRINUSE');
    expect((await choosePorts(folder, ['a'])).a).not.toBe(a);
  } finally {
    server.close();
  }
});

test('a file of ports that a crash cut short is no obstacle', async () => {
  writeFileSync(path.join(folder, 'ports.json'), '{"a": 12');
  expect((await choosePorts(folder, ['a'])).a).toBeGreaterThan(0);
});
