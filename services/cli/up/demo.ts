import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { EngineConfig } from '../../core/config.ts';
import { openDatabase } from '../../engines/sql/database.ts';
import { writePrivateFile } from '../../engines-local/files.ts';
import { createKey } from '../../features/keys/service.ts';
import { seedDemo } from '../demo/seed.ts';

const demoSlug = 'demo';

async function isAccepted(apiUrl: string, key: string): Promise<boolean> {
  const response = await fetch(`${apiUrl}/api/v1/jobs/00000000-0000-0000-0000-000000000000`, {
    headers: { 'X-API-Key': key },
  });
  await response.body?.cancel();
  return response.status !== 401;
}

/** The key that is printed at every start: kept in the data folder, made anew once it was revoked. It can see the demo site only. */
async function findDemoKey(dataDir: string, config: EngineConfig, apiUrl: string): Promise<string> {
  const file = path.join(dataDir, 'demo-key');
  if (existsSync(file)) {
    const known = readFileSync(file, 'utf8').trim();
    if (await isAccepted(apiUrl, known)) return known;
  }
  const db = openDatabase(config);
  try {
    const { key } = await createKey(db, { name: 'Demo', scopes: ['admin'], sites: [demoSlug] });
    writePrivateFile(file, `${key}\n`);
    return key;
  } finally {
    await db.close();
  }
}

/** Makes the demo site through the public API where it is missing, and answers where it is and the key to it. */
export async function ensureDemo(
  dataDir: string,
  config: EngineConfig,
  options: { apiUrl: string; log: (line: string) => void; signal: AbortSignal },
): Promise<{ site: string; url: string; key: string }> {
  const key = await findDemoKey(dataDir, config, options.apiUrl);
  const { siteSlug, url } = await seedDemo({ ...options, key });
  return { site: siteSlug, url, key };
}
