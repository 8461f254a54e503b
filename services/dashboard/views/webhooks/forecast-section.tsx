import type { z } from 'zod';
import type { forecastRecord } from '../../../features/mapping/dashboard-schema.ts';
import { Section } from '../../parts/page.tsx';
import { strings } from './strings.ts';

export type Forecast = z.output<typeof forecastRecord>;

const toText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '–'));

/** What a replay would do. */
export function ForecastSection({
  forecast: { would, reason, changes, would_fetch: fetched },
}: {
  forecast: Forecast;
}) {
  const entries = Object.entries(changes ?? {});
  return (
    <Section title={strings.forecastTitle}>
      <div role="status">
        <p>{strings.would[would]}</p>
        {reason !== undefined && <p>{reason}</p>}
        {would === 'update' && changes && entries.length === 0 && <p>{strings.noChange}</p>}
        <ul className="plain-list">
          {entries.map(([member, { from, to }]) => (
            <li key={member}>{strings.change(member, toText(from), toText(to))}</li>
          ))}
        </ul>
        {fetched && (
          <>
            <p>{strings.wouldFetch}</p>
            <ul className="plain-list">
              {fetched.map((url) => (
                <li key={url}>{url}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Section>
  );
}
