import { randomUUID } from 'node:crypto';
import { loadConfig } from '../../services/core/config.ts';
import { createLogger } from '../../services/core/log.ts';
import type { ObjectStore } from '../../services/engines/objects/store.ts';
import type { Database } from '../../services/engines/sql/database.ts';
import { checkFieldsAtOnce, cleanAtOnce } from '../../services/features/content/index.ts';
import type { createBuilder } from '../../services/features/publishing/builder.ts';
import { requestPublish } from '../../services/features/publishing/request.ts';

type BuilderApp = Parameters<typeof createBuilder>[0];

/** Texts of these sites are too small for a thread. */
const threadsHere: BuilderApp['threads'] = { run: () => Promise.reject(new Error('There is no thread.')) };

/** Returns what the worker of a single-machine installation passes to its builder. */
export function builderApp(db: Database, objects: ObjectStore, settings: Partial<BuilderApp['config']> = {}) {
  const config = { ...loadConfig({}), actors: { engine: 'embedded', socket: '' }, ...settings } as BuilderApp['config'];
  const checks = { bodies: cleanAtOnce, fieldChecks: checkFieldsAtOnce };
  const edges = { siteSwapped: () => Promise.resolve() };
  return { db, objects, edges, threads: threadsHere, config, log: createLogger('test', 'silent'), ...checks };
}

export interface BareSite {
  templates?: Record<string, string>;
  locales?: readonly string[];
}

/** Inserts a site without content: its pages are the home, archive and 404 page of each locale. */
export async function insertBareSite(
  db: Database,
  objects: ObjectStore,
  { templates = {}, locales = ['en'] }: BareSite = {},
): Promise<string> {
  const id = randomUUID();
  await db.query(
    `INSERT INTO sites (id, slug, name, default_locale, locales, settings) VALUES ($1, $2, 'Bare', $3, $4::JSONB, '{}'::JSONB)`,
    [id, `bare-${id.slice(0, 8)}`, locales[0]!, JSON.stringify(locales.map((locale) => ({ locale, name: locale })))],
  );
  const files = {
    'home.twig': 'home',
    'archive.twig': 'archive',
    '404.twig': 'missing',
    'page.twig': '',
    ...templates,
  };
  for (const [name, text] of Object.entries(files)) {
    const data = Buffer.from(text);
    await db.query(
      `INSERT INTO shell_files (site_id, path, hash, bytes, content_type) VALUES ($1, $2, $3, $4, 'text/plain')`,
      [id, name, await objects.putBytes(data), data.length],
    );
  }
  return id;
}

/** The columns of a job. */
export interface JobState {
  status: string;
  error: string | null;
  result: { pages: number } | null;
}

export async function readJob(db: Database, id: string): Promise<JobState> {
  const [row] = await db.query<JobState>('SELECT status, error, result FROM jobs WHERE id = $1', [id]);
  return row!;
}

export const askPublish = (db: Database, siteId: string) => requestPublish(db, siteId, 'publish');

/** Returns the hashes of the documents of a site's live release. */
export async function selectLiveDocuments(db: Database, siteId: string) {
  const [row] = await db.query<{ manifest_hash: string; trace_hash: string }>(
    'SELECT r.manifest_hash, r.trace_hash FROM sites s JOIN releases r ON r.id = s.live_release WHERE s.id = $1',
    [siteId],
  );
  return row!;
}
