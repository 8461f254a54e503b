import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '../../../services/engines-local/ports.ts';

const launcher = path.join(import.meta.dirname, '..', '..', '..', 'services', 'cli', 'fieldstone.js');

export const body = `<h2>A heading</h2>${'<p>Some words of a paragraph that is as long as most are, more or less. </p>'.repeat(12)}`;

export type Bench = Awaited<ReturnType<typeof startUp>>;

/** Starts `fieldstone up` on a new data folder, without rate limits. Throws if it ends before it is ready. */
export async function startUp(moreFlags: readonly string[] = []) {
  const data = mkdtempSync(path.join(os.tmpdir(), 'fieldstone-publish-'));
  const [port, edgePort] = [await findFreePort(), await findFreePort()];
  const env = { ...process.env, FIELDSTONE_RATE_LIMIT_IP: '0', FIELDSTONE_RATE_LIMIT_KEY: '0' };
  const flags = ['--data', data, '--port', String(port), '--edge-port', String(edgePort), '--json', ...moreFlags];
  const up = spawn(process.execPath, ['--max-semi-space-size=2', launcher, 'up', ...flags], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async () => {
    up.kill('SIGTERM');
    await new Promise((resolve) => up.once('exit', resolve));
    rmSync(data, { recursive: true, force: true });
  };
  await new Promise<void>((resolve, reject) => {
    up.stdout.on('data', (chunk: Buffer) => /ready/.test(chunk.toString()) && resolve());
    up.once('exit', (code) => reject(new Error(`fieldstone up ended with ${code}.`)));
  });
  const made = execFileSync(
    process.execPath,
    [launcher, 'keys', 'create', '--name', 'b', '--scopes', 'admin', '--sites', '*', '--data', data, '--json'],
    { encoding: 'utf8' },
  );
  const { key } = JSON.parse(made) as { key: string };

  async function api<T>(method: string, route: string, content?: object): Promise<T> {
    const reply = await fetch(`http://localhost:${port}/api/v1${route}`, {
      method,
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: content ? JSON.stringify(content) : null,
    });
    const { data: result, error } = (await reply.json()) as { data: T; error?: { message: string } };
    if (error) throw new Error(error.message);
    return result;
  }

  /** Creates a site with published posts; returns the id of the first. */
  async function fill(site: string, posts: number): Promise<string> {
    await api('POST', '/sites', { name: 'Bench', slug: site });
    let id = '';
    for (let n = 0; n < posts; n += 100) {
      const items = Array.from({ length: 100 }, (_, i) => ({
        title: `Post ${n + i}`,
        body_html: body,
        status: 'published',
        tags: ['a'],
      }));
      const { results } = await api<{ results: { data: { id: string } }[] }>('POST', `/sites/${site}/content/batch`, {
        items,
      });
      id ||= results[0]!.data.id;
    }
    return id;
  }

  /** Publishes a site; returns the milliseconds until the job has succeeded. Throws if it fails. */
  async function publish(site: string): Promise<number> {
    const startedAt = performance.now();
    const { job } = await api<{ job: string }>('POST', `/sites/${site}/publish`);
    for (;;) {
      const { status } = await api<{ status: string }>('GET', `/jobs/${job}?wait=60`);
      if (status === 'succeeded') return performance.now() - startedAt;
      if (status === 'failed') throw new Error(`The build of ${site} failed.`);
    }
  }

  return { pid: up.pid!, edge: `http://localhost:${edgePort}/sites`, api, fill, publish, stop };
}
