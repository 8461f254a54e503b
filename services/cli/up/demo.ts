import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writePrivateFile } from '../../engines-local/files.ts';
import { seedDemo } from '../demo/seed.ts';
import { runChild } from '../run-child.ts';
import type { Environment } from './environment.ts';

const demoSlug = 'demo';

interface DemoOptions {
  apiUrl: string;
  log(line: string): void;
  signal: AbortSignal;
}

async function isAccepted({ apiUrl, signal }: DemoOptions, key: string): Promise<boolean> {
  const response = await fetch(`${apiUrl}/api/v1/sites/${demoSlug}`, { headers: { 'X-API-Key': key }, signal });
  await response.body?.cancel();
  return response.status !== 401;
}

/**
 * Returns the key that is printed at every start: kept in the data folder, and replaced once it is revoked. It may do
 * everything, but on the demo site only.
 */
async function findDemoKey(dataDir: string, environment: Environment, options: DemoOptions): Promise<string> {
  const file = path.join(dataDir, 'demo-key');
  if (existsSync(file)) {
    const savedKey = readFileSync(file, 'utf8').trim();
    if (await isAccepted(options, savedKey)) return savedKey;
  }
  const args = ['keys', 'create', '--name', 'Demo', '--scopes', 'admin', '--sites', demoSlug];
  const { key } = await runChild<{ key: string }>(args, environment, options.signal);
  writePrivateFile(file, `${key}\n`);
  return key;
}

/** Creates the demo site through the public API if it is missing, and returns its URL and key. */
export async function ensureDemo(
  dataDir: string,
  environment: Environment,
  options: DemoOptions,
): Promise<{ site: string; url: string; key: string }> {
  const key = await findDemoKey(dataDir, environment, options);
  const { siteSlug, url } = await seedDemo({ ...options, key });
  return { site: siteSlug, url, key };
}
