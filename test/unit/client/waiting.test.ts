import { getEventListeners } from 'node:events';
import { expect, test } from '@jest/globals';
import { createClient } from '../../../services/client/index.ts';

const runningJob = () => Response.json({ success: true, data: { uuid: 'j', status: 'running', finished_at: null } });

test('waiting for a job leaves nothing on the signal between its reads', async () => {
  const waiting = new AbortController();
  const listeners: number[] = [];
  const client = createClient({
    url: 'http://localhost',
    key: 'k',
    fetch: async () => {
      listeners.push(getEventListeners(waiting.signal, 'abort').length);
      if (listeners.length === 5) waiting.abort(new Error('enough'));
      return runningJob();
    },
  });
  await expect(client.waitForJob('j', { intervalMs: 1, signal: waiting.signal })).rejects.toThrow('enough');
  expect(listeners).toEqual([0, 0, 0, 0, 0]);
});

test('a signal that is aborted ends a wait at once, however long it is', async () => {
  const waiting = new AbortController();
  const client = createClient({ url: 'http://localhost', key: 'k', fetch: async () => runningJob() });
  const waited = client.waitForJob('j', { intervalMs: 2 ** 30, signal: waiting.signal });
  setImmediate(() => waiting.abort(new Error('enough')));
  await expect(waited).rejects.toThrow('enough');
});
