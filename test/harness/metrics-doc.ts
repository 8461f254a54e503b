import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface DocumentedMetric {
  name: string;
  type: string;
  labels: string[];
  roles: string[];
  help: string;
}

const file = path.join(import.meta.dirname, '../../docs/observability.md');
const row = /^\| `(\w+)` \| (counter|gauge|histogram) \|(.*?)\| ([a-z, ]+) \| (.+) \|$/;

/** Returns every metric that docs/observability.md names. */
export function readDocumentedMetrics(): DocumentedMetric[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, name, type, labels, roles, help] = row.exec(line) ?? [];
      if (!name) return [];
      const named = [...labels!.matchAll(/`(\w+)`/g)].map((match) => match[1]!);
      return [{ name, type: type!, labels: named, roles: roles!.split(', '), help: help! }];
    });
}
