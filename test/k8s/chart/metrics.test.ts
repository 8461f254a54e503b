import { describe, expect, test } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import { readDocumentedMetrics } from '../../harness/metrics-doc.ts';
import { pick, render } from './render.ts';

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}
interface Panel {
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}

const documented = new Map(readDocumentedMetrics().map((metric) => [metric.name, metric]));
/** Labels that Prometheus and the ServiceMonitor add. */
const scraped = ['namespace', 'job', 'pod', 'component', 'le', 'instance'];

/** Returns the metric of a series; histograms have several series. */
function metricOf(series: string): string {
  return documented.has(series) ? series : series.replace(/_(bucket|sum|count)$/, '');
}

interface Selector {
  metric: string;
  labels: string[];
}

/** Returns the selectors of a query, using the parser of Prometheus' own interface. Throws if it is not PromQL. */
function readQuery(query: string): { selectors: Selector[]; grouped: string[] } {
  const text = query.replaceAll('$__rate_interval', '5m').replaceAll('$namespace', 'space');
  const selectors: Selector[] = [];
  const grouped: string[] = [];
  parser.parse(text).iterate({
    enter(node) {
      const said = text.slice(node.from, node.to);
      if (node.type.isError) throw new Error(`Not PromQL at ${node.from}: ${text}`);
      if (node.name === 'VectorSelector') selectors.push({ metric: '', labels: [] });
      if (node.name === 'Identifier') selectors.at(-1)!.metric = said;
      if (node.name !== 'LabelName') return;
      if (node.node.parent!.name === 'GroupingLabels') grouped.push(said);
      else selectors.at(-1)!.labels.push(said);
    },
  });
  return { selectors, grouped };
}

function expectKnown(query: string): void {
  const { selectors, grouped } = readQuery(query);
  expect(selectors.length).toBeGreaterThan(0);
  const known = selectors.flatMap(({ metric, labels }) => {
    const found = documented.get(metricOf(metric));
    if (!found && metric !== 'up') throw new Error(`${metric} is no metric: ${query}`);
    const allowed = [...scraped, ...(found?.labels ?? [])];
    expect({ query, unknown: labels.filter((label) => !allowed.includes(label)) }).toEqual({ query, unknown: [] });
    return allowed;
  });
  expect({ query, unknown: grouped.filter((label) => !known.includes(label)) }).toEqual({ query, unknown: [] });
}

const objects = render({
  metrics: { serviceMonitor: { enabled: true }, prometheusRule: { enabled: true }, dashboard: { enabled: true } },
});
const rules = pick(objects, 'PrometheusRule').spec.groups.flatMap((group: { rules: Rule[] }) => group.rules) as Rule[];
const dashboard = JSON.parse(pick(objects, 'ConfigMap', '-dashboard').data!['fieldstone.json']!) as { panels: Panel[] };

test('the parser refuses what is not PromQL, and an unknown metric is noticed', () => {
  expect(() => readQuery('sum(rate(up[5m])')).toThrow('Not PromQL');
  expect(() => expectKnown('sum(rate(fieldstone_nonsense_total[5m]))')).toThrow('is no metric');
});

describe('alerts', () => {
  test.each(rules.map((rule) => [rule.alert, rule] as const))('%s looks at metrics that exist', (_, rule) => {
    expectKnown(rule.expr);
    expect(rule.for).toMatch(/^\d+m$/);
    expect(['warning', 'critical']).toContain(rule.labels.severity);
    expect(rule.annotations).toEqual({ summary: expect.any(String), description: expect.any(String) });
  });

  test('have names of their own', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });
});

describe('the dashboard', () => {
  const panels = dashboard.panels.filter(({ type }) => type !== 'row');

  test.each(panels.map((panel) => [panel.title, panel] as const))('“%s” shows metrics that exist', (_, panel) => {
    expect(panel.targets!.length).toBeGreaterThan(0);
    for (const { expr } of panel.targets!) expectKnown(expr);
  });

  test('has panels beside and below each other', () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });

  test('shows every metric of Fieldstone’s own', () => {
    const shown = new Set(
      panels.flatMap(({ targets }) =>
        targets!.flatMap(({ expr }) => readQuery(expr).selectors.map(({ metric }) => metricOf(metric))),
      ),
    );
    const missing = [...documented.keys()].filter((name) => name.startsWith('fieldstone_') && !shown.has(name));
    expect(missing).toEqual([]);
  });
});
