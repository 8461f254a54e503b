import { describe, expect, test } from '@jest/globals';
import type { EngineConfig, ObjectSettings, StoreSettings } from '../../../services/core/config.ts';
import type { Db } from '../../../services/core/db.ts';
import { explainDisagreement, requireRecordedEngines } from '../../../services/engines/record/agreement.ts';
import type { EngineRecord } from '../../../services/engines/record/record.ts';

type Settings = Pick<EngineConfig, 'actors' | 'objects' | 'dataDir'>;

const keys = { accessKey: 'a', secretKey: 's', region: 'r', ca: undefined };
const s3: StoreSettings = { engine: 's3', endpoint: 'http://s3:9000', bucket: 'b', ...keys };
const files = { engine: 'files', folder: '/data/objects', minFreeBytes: 0 } as const;
const settings = (actors: 'embedded' | 'temporal', objects: ObjectSettings, dataDir?: string): Settings => ({
  actors: actors === 'temporal' ? { engine: actors, address: 'temporal:7233' } : { engine: actors, socket: '/x' },
  objects,
  dataDir,
});
const record = (
  actors: EngineRecord['actors'],
  objects: EngineRecord['objects'],
  fallback: EngineRecord['fallback'] = null,
) => ({ actors, objects, fallback });

describe('settings that name the engines of the installation', () => {
  test('are accepted', () => {
    expect(explainDisagreement(record('embedded', 'files'), settings('embedded', files, '/data'))).toBeNull();
    expect(explainDisagreement(record('temporal', 's3'), settings('temporal', s3))).toBeNull();
  });

  test('are accepted where a process has no actors and need not name their runtime', () => {
    const edge = settings('embedded', s3);
    expect(explainDisagreement(record('temporal', 's3'), edge, { actors: false })).toBeNull();
    expect(explainDisagreement(record('temporal', 's3'), edge)).not.toBeNull();
  });
});

describe('settings that name others are refused in one sentence with both values and the command that switches', () => {
  test('the runtime of the actors', () => {
    expect(explainDisagreement(record('temporal', 's3'), settings('embedded', s3))).toBe(
      'This installation uses actors: temporal, but the settings say actors: embedded: change TEMPORAL_ADDRESS, or stop the service and ' +
        'switch it with `fieldstone engines set --actors embedded`.',
    );
  });

  test('where objects are stored, on one machine', () => {
    expect(explainDisagreement(record('embedded', 'files'), settings('embedded', s3, '/data'))).toBe(
      'This installation uses objects: files, but the settings say objects: s3: change S3_ENDPOINT, or stop the service and ' +
        'switch it with `fieldstone engines set --objects s3 --data /data`.',
    );
  });

  test('both', () => {
    const complaint = explainDisagreement(record('temporal', 's3'), settings('embedded', files, '/data'));
    expect(complaint).toContain(
      'uses actors: temporal and objects: s3, but the settings say actors: embedded and objects: files',
    );
    expect(complaint).toContain('fieldstone engines set --actors embedded --objects files --data /data');
  });
});

describe('while objects are moved, the store before must be named too', () => {
  test('a bucket, by its own settings', () => {
    const moving = record('embedded', 'files', 's3');
    expect(explainDisagreement(moving, settings('embedded', files, '/data'))).toMatch(
      /FALLBACK_S3_ENDPOINT.*`fieldstone objects copy --from s3 --to files --data \/data`/,
    );
    expect(explainDisagreement(moving, settings('embedded', { ...files, fallback: s3 }, '/data'))).toBeNull();
  });

  test('a folder, by the data folder', () => {
    const moving = record('embedded', 's3', 'files');
    expect(explainDisagreement(moving, settings('embedded', s3))).toMatch(
      /`fieldstone objects copy --from files --to s3 --data DIR`/,
    );
    expect(explainDisagreement(moving, settings('embedded', { ...s3, fallback: files }, '/data'))).toBeNull();
  });
});

describe('a role that starts', () => {
  const log = { fatal: () => undefined };
  const answering = (rows: unknown[]): Db => ({ query: async () => rows as never });

  test('is ended by a sentence when its settings do not fit', async () => {
    const db = answering([record('temporal', 's3')]);
    await expect(requireRecordedEngines(db, settings('embedded', files, '/data'), { log })).rejects.toThrow(
      /^This installation uses/,
    );
  });

  test('is not ready before its database answers and has a record', async () => {
    let rows: unknown[] | Error = new Error('ECONNREFUSED');
    const db: Db = {
      query: async () => {
        if (rows instanceof Error) throw rows;
        return rows as never;
      },
    };
    const engines = await requireRecordedEngines(db, settings('embedded', files, '/data'), { log });
    expect(() => engines.requireAgreed()).toThrow(/fieldstone migrate/);
    rows = [];
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(() => engines.requireAgreed()).toThrow(/fieldstone migrate/);
    rows = [record('embedded', 'files')];
    await new Promise((resolve) => setTimeout(resolve, 1200));
    engines.requireAgreed();
  });

  test('is ended when the engines of a running installation are switched, and not while the database is away', async () => {
    let rows: unknown[] | Error = [record('embedded', 'files')];
    let looks = 0;
    const db: Db = {
      query: async () => {
        looks++;
        if (rows instanceof Error) throw rows;
        return rows as never;
      },
    };
    const ended = Promise.withResolvers<string>();
    const faults: string[] = [];
    const options = {
      log: { fatal: (fault: unknown) => void faults.push((fault as { err: Error }).err.message) },
      watchEveryMs: 5,
      end: () => ended.resolve(faults.join()),
    };
    const engines = await requireRecordedEngines(db, settings('embedded', files, '/data'), options);
    const lookOften = async () => {
      for (const before = looks; looks < before + 3; ) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    await lookOften();
    rows = new Error('ECONNREFUSED');
    await lookOften();
    engines.requireAgreed();
    expect(faults).toEqual([]);
    rows = [record('embedded', 's3', 'files')];
    expect(await ended.promise).toMatch(/^This installation uses objects: s3/);
  });
});
