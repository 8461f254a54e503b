import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { createLogger } from '../../services/core/log.ts';
import { loadWorkflowBundle } from '../../services/engines/actors/temporal/workflow-bundle.ts';

const folder = path.join(import.meta.dirname, 'histories');
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
let workflowBundle: { code: string };

beforeAll(async () => {
  workflowBundle = await loadWorkflowBundle(createLogger('test', 'warn'));
}, 60_000);

test('there are recorded histories', () => {
  expect(names.length).toBeGreaterThanOrEqual(22);
});

describe('today’s definitions continue workflows that began under the recorded ones', () => {
  test.each(names)('%s', async (name) => {
    const history: unknown = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
    await Worker.runReplayHistory({ workflowBundle }, history);
  });

  test.each([
    ['publish-then-idle', 'buildSite'],
    ['inbox-burst-then-idle', 'workInbox'],
    ['outbox-burst-then-end', 'sendEvents'],
    ['media-burst-then-end', 'processMedia'],
    ['item-preview-rendered-the-second-time', 'previewItem'],
  ])('a history that the definitions cannot have made is refused: %s', async (name, activity) => {
    const text = readFileSync(path.join(folder, `${name}.json`), 'utf8').replaceAll(activity, 'razeSite');
    await expect(Worker.runReplayHistory({ workflowBundle }, JSON.parse(text))).rejects.toThrow();
  });
});
