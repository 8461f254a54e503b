import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, '..', '..', 'services', 'features', 'shell', 'starter');

/** The templates that every new site begins with. */
export const starterTemplates = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.twig'))
  .map((name) => readFileSync(path.join(folder, name), 'utf8'));
