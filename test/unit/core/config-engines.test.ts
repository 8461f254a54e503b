import { describe, expect, test } from '@jest/globals';
import { ConfigError, loadConfig } from '../../../services/core/config.ts';

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
