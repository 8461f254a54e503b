interface Family {
  header: string[];
  samples: string[];
}

/** Adds a label to a sample like `http_requests_total{code="200"} 3`, unless it names its role already. */
function addRole(sample: string, role: string): string {
  const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(.+)$/.exec(sample);
  if (!match) return sample;
  const [, name, labels = '', value] = match;
  if (/(^|,)role="/.test(labels)) return sample;
  return `${name}{${[`role="${role}"`, labels].filter(Boolean).join(',')}} ${value}`;
}

/**
 * Merges the Prometheus expositions of several roles into one that describes each metric once and labels every sample
 * with its role: the format requires all samples of a metric together.
 */
export function mergeMetrics(expositions: { role: string; text: string }[]): string {
  const families = new Map<string, Family>();
  for (const { role, text } of expositions) {
    let current: Family | undefined;
    const described = new Set<Family>();
    for (const line of text.split('\n').filter(Boolean)) {
      const header = /^# (?:HELP|TYPE) (\S+)/.exec(line);
      if (!header) {
        current?.samples.push(addRole(line, role));
        continue;
      }
      const name = header[1]!;
      const family = families.get(name);
      if (!family || described.has(family)) {
        current = family ?? { header: [], samples: [] };
        current.header.push(line);
        families.set(name, current);
        described.add(current);
      } else {
        current = family;
      }
    }
  }
  return [...families.values()].flatMap(({ header, samples }) => [...header, ...samples, '']).join('\n');
}
