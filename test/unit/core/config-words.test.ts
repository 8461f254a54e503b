import { describe, expect, test } from '@jest/globals';
import { ConfigError, loadConfig } from '../../../services/core/config.ts';

describe.each([
  ['FIELDSTONE_LOG_LEVEL', 'loud'],
  ['FIELDSTONE_WORKER_QUEUES', 'general,mail'],
  ['FIELDSTONE_FACT_CHECK_PROVIDER', 'oracle'],
  ['FIELDSTONE_COCKROACHDB_TUNING', 'yes'],
])('%s', (name, value) => {
  test('is refused by its name where its word means nothing', () => {
    expect(() => loadConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => loadConfig({ [name]: value })).toThrow(new RegExp(`^${name} must `));
  });
});
