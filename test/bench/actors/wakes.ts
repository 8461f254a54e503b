import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '../../../services/core/log.ts';
import { createSocketClient } from '../../../services/engines/actors/embedded/socket-client.ts';

const wakes = 200;

/** Milliseconds on the clock that the processes of one machine share. */
const now = () => performance.timeOrigin + performance.now();

/** Returns the milliseconds from each wake, sent by this process, until a worker process starts the turn. */
export async function measureWakes(): Promise<number[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'fieldstone-wakes-'));
  const socket = path.join(folder, 'wake.sock');
  const worker = fork(path.join(import.meta.dirname, 'wake-worker.ts'), [socket]);
  const client = createSocketClient(socket, createLogger('bench', 'silent'));
  try {
    await once(worker, 'message');
    const waits: number[] = [];
    for (let n = 0; n < wakes; n++) {
      const sentAt = now();
      client.wakeSite(`site-${n % 20}`);
      const [begunAt] = (await once(worker, 'message')) as [number];
      waits.push(begunAt - sentAt);
      await sleep(5);
    }
    return waits;
  } finally {
    await client.close();
    worker.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
}
