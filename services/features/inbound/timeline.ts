/** The events of a delivery, in order. */
export type TimelineEvent =
  | 'received'
  | 'verified'
  | 'recorded'
  | 'attempt'
  | 'interrupted'
  | 'prepared'
  | 'mapped'
  | 'superseded'
  | 'publish_requested'
  | 'build_started'
  | 'live'
  | 'skipped'
  | 'failed'
  | 'replayed'
  | 'purged';

export interface TimelineEntry {
  /** ISO 8601 with milliseconds. */
  at: string;
  event: TimelineEvent;
  [detail: string]: unknown;
}

export function entry(event: TimelineEvent, at = new Date(), details: Record<string, unknown> = {}): TimelineEntry {
  return { at: at.toISOString(), event, ...details };
}

/** Returns entries as JSON for `timeline = timeline || $n::JSONB`. */
export function toJson(...entries: TimelineEntry[]): string {
  return JSON.stringify(entries);
}
