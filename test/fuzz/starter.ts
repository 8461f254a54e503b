import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, '..', '..', 'services', 'features', 'shell', 'starter');

/** The templates of every new site. */
export const starterTemplates = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.twig'))
  .map((name) => readFileSync(path.join(folder, name), 'utf8'));
