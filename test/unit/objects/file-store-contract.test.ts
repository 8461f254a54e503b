import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { openKeyedStore } from '../../../services/engines/objects/open.ts';
import { testKeyedStore } from '../../harness/keyed-store-contract.ts';

const parent = mkdtempSync(path.join(tmpdir(), 'fs-objects-'));
const folder = path.join(parent, 'objects');
afterAll(() => rmSync(parent, { recursive: true, force: true }));

describe('objects in files', () => {
  const open = () => openKeyedStore({ engine: 'files', folder, minFreeBytes: 0 });

  test('need their folder to be made', async () => {
    expect(await open().ping()).toBe(false);
    await open().ensure();
    expect(await open().ping()).toBe(true);
  });

  testKeyedStore(open);
});
