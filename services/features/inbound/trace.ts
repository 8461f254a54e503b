import { startSpan } from '../../core/tracing.ts';
import type { TimelineEntry, TimelineEvent } from './timeline.ts';

export interface LiveDelivery {
  id: string;
  integration_id: string;
  site_id: string;
  received_at: Date;
  finished_at: Date;
  replayed: boolean;
  /** The span of the request that sent it; null if it was not traced. */
  traceparent: string | null;
  timeline: TimelineEntry[] | null;
}

interface Stage {
  name: string;
  from: string;
  to: string;
}

/** Returns the stages of a delivery with their times, from its latest processing: a replay starts again. */
export function stagesOf(timeline: readonly TimelineEntry[]): Stage[] {
  const from = timeline.findLastIndex(({ event }) => event === 'replayed');
  const entries = timeline.slice(Math.max(0, from));
  const at = (event: TimelineEvent) => entries.findLast((one) => one.event === event)?.at;
  const prepared = entries.findLast(({ event }) => event === 'prepared');
  const imagesEnd = prepared && String(prepared['ended_at'] ?? prepared.at);
  const stages: [name: string, from: string | undefined, to: string | undefined][] = [
    ['received', at('received'), at('verified')],
    ['verified', at('verified'), at('recorded')],
    ['queued', at('replayed') ?? at('recorded'), at('attempt')],
    ['mapped', at('attempt'), prepared?.at],
    ['images', prepared?.at, imagesEnd],
    ['revision', imagesEnd, at('mapped')],
    ['build', at('build_started'), at('live')],
    ['live', at('live'), at('live')],
  ];
  return stages.flatMap(([name, from, to]) => (from && to ? [{ name, from, to }] : []));
}

/**
 * Records a live delivery as spans in the trace of the request that sent it: one from its receipt until it is live,
 * with a child for each stage, from the times of its record.
 */
export function traceDelivery({ traceparent, timeline, ...delivery }: LiveDelivery): void {
  if (!traceparent || !timeline) return;
  const stages = stagesOf(timeline);
  const first = stages[0];
  const whole = startSpan('delivery', {
    parent: traceparent,
    startedAt: new Date(first?.from ?? delivery.received_at),
    attributes: {
      'fieldstone.delivery': delivery.id,
      'fieldstone.integration': delivery.integration_id,
      'fieldstone.site': delivery.site_id,
    },
  });
  if (!whole) return;
  for (const { name, from, to } of stages) {
    startSpan(`delivery ${name}`, { parent: whole.traceparent, startedAt: new Date(from) })?.end(new Date(to));
  }
  whole.end(delivery.finished_at);
}
