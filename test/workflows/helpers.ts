import { readdirSync, readFileSync } from 'node:fs';
import { eventually, request, stack, type TestSite, waitForJob } from '../harness/api.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
type Any = any;

export interface Served {
  status: number;
  text: string;
  headers: Headers;
}

/** Returns a path of a site as every edge serves it; throws when they differ. */
export async function visit(site: TestSite, path: string): Promise<Served> {
  const replies = await Promise.all(
    stack.edges.map(async (edge) => {
      const reply = await fetch(`${edge}/sites/${site.slug}${path}`, { redirect: 'manual' });
      return { status: reply.status, text: await reply.text(), headers: reply.headers };
    }),
  );
  const [first, ...others] = replies;
  for (const other of others) {
    if (other.status !== first!.status || other.text !== first!.text) throw new Error(`The edges differ at ${path}.`);
  }
  return first!;
}

/** Requests a publish and returns the job's id. */
export async function askPublish(site: TestSite): Promise<string> {
  const { status, data } = await site.request('POST', '/publish');
  if (status !== 202) throw new Error(`Publish was refused: ${status}`);
  return data.job;
}

export async function createItem(site: TestSite, members: Record<string, unknown>): Promise<Any> {
  const { status, data, text } = await site.request('POST', '/content', { status: 'published', ...members });
  if (status !== 201) throw new Error(`The item was refused: ${status} ${text}`);
  return data;
}

/** Writes a shell file and returns the record, with the rebuild's job. */
export async function writeShell(site: TestSite, path: string, text: string): Promise<Any> {
  const { status, data, text: reply } = await site.request('PUT', `/shell/file/${path}`, undefined, { raw: text });
  if (status !== 200 && status !== 201) throw new Error(`The file was refused: ${status} ${reply}`);
  return data;
}

/** Waits for a job that must succeed. */
export async function succeed(site: TestSite, job: string): Promise<Any> {
  const ended = await waitForJob(site.key, job);
  if (ended.status !== 'succeeded') throw new Error(`The job failed: ${ended.error?.message}`);
  return ended;
}

export async function readJob(site: TestSite, job: string): Promise<Any> {
  return (await request('GET', `/jobs/${job}`, { key: site.key })).data;
}

/** Waits until a job has reached a stage of its build. */
export async function reachStage(site: TestSite, job: string, stage: string): Promise<Any> {
  return eventually(`job ${job} reaches ${stage}`, async () => {
    const found = await readJob(site, job);
    return found.progress.stage === stage || found.finished_at ? found : undefined;
  });
}

/** Returns a template that keeps the renderer busy for a fifth of a second or more before it prints `text`. */
export function slowTemplate(text: string): string {
  return `{% for i in 1..2000000 %}{% endfor %}<html><head></head><body>${text}</body></html>`;
}

/** Creates posts that each take a while to render with `slowTemplate`. */
export async function createPosts(site: TestSite, count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, n) => ({ title: `Filler ${n}`, status: 'published' }));
  const { status, text } = await site.request('POST', '/content/batch', { items });
  if (status !== 200) throw new Error(`The batch was refused: ${status} ${text}`);
}

/** Returns the process ids of the stack's workers. */
export function workerPids(): number[] {
  const ports = Object.entries(stack.ops)
    .filter(([name]) => name.startsWith('worker'))
    .map(([, url]) => new URL(url).port);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return command.includes('worker') && ports.some((port) => environment.includes(`FIELDSTONE_OPS_PORT=${port}`));
      } catch {
        return false; // it has ended meanwhile
      }
    });
}
