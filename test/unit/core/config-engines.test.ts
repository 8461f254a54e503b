import { describe, expect, test } from '@jest/globals';
import { ConfigError, loadConfig, requireEngines } from '../../../services/core/config.ts';

describe('the address of the database', () => {
  test.each([
    'postgresql://fieldstone@db:26257/fieldstone?sslmode=verify-full',
    'postgres://user:p%23ss@[::1]:5432/x',
    'postgresql:///x?host=/run/postgresql',
  ])('is taken: %s', (url) => {
    expect(loadConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  test.each(['db:26257', 'mysql://db/x', 'fieldstone', 'postgresql://user:p#ss@db:5432/x'])('is refused: %s', (url) => {
    expect(() => loadConfig({ DATABASE_URL: url })).toThrow(ConfigError);
    expect(() => loadConfig({ DATABASE_URL: url })).toThrow(/^DATABASE_URL must be/);
  });

  test('is not repeated when it is refused: it may hold a password', () => {
    expect(() => loadConfig({ DATABASE_URL: 'mysql://user:hunter2@db/x' })).not.toThrow(/hunter2/);
  });
});

describe.each(['S3_ENDPOINT', 'BACKUP_S3_ENDPOINT'])('the address of an object store: %s', (name) => {
  test.each(['http://minio:9000', 'https://s3.example.com', 'https://s3.example.com/', 'http://[fd00::1]:9000'])(
    'is taken: %s',
    (endpoint) => {
      expect(() => loadConfig({ [name]: endpoint })).not.toThrow();
    },
  );

  test.each(['minio:9000', 's3.example.com', 'https://s3.example.com/bucket', 'https://s3.example.com/?x=1'])(
    'is refused by its name: %s',
    (endpoint) => {
      expect(() => loadConfig({ [name]: endpoint })).toThrow(`${name} must be an http(s) origin`);
    },
  );
});

// rule: threat.38
describe('data and backups in one bucket are refused', () => {
  const env = {
    DATABASE_URL: 'postgresql://db/x',
    TEMPORAL_ADDRESS: 'temporal:7233',
    S3_ENDPOINT: 'https://s3.example.com',
    S3_ACCESS_KEY: 'a',
    S3_SECRET_KEY: 'b',
    FIELDSTONE_SECRET_KEY: Buffer.alloc(32).toString('base64'),
  };
  const requireWith = (more: Record<string, string>) => requireEngines(loadConfig({ ...env, ...more }));

  test.each<Record<string, string>>([
    { BACKUP_S3_BUCKET: 'fieldstone' },
    { S3_BUCKET: 'b', BACKUP_S3_BUCKET: 'b' },
    { S3_BUCKET: 'b', BACKUP_S3_BUCKET: 'b', BACKUP_S3_ENDPOINT: 'https://S3.example.com:443/' },
    { S3_BUCKET: 'b-backups', BACKUP_S3_BUCKET: 'b-backups' },
  ])('%j', (more) => {
    expect(() => requireWith(more)).toThrow(/^S3_BUCKET and BACKUP_S3_BUCKET are both b?/);
  });

  test.each<Record<string, string>>([
    {},
    { S3_BUCKET: 'b', BACKUP_S3_BUCKET: 'b', BACKUP_S3_ENDPOINT: 'https://elsewhere.example.com' },
  ])('but not two: %j', (more) => {
    expect(() => requireWith(more)).not.toThrow();
  });
});
