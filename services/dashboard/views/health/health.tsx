import { useQuery } from '@tanstack/react-query';
import { callOwn } from '../../app/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { describeBackups, describeEngines, describeWaiting, type Finding, type Health } from './describe.ts';
import { strings } from './strings.ts';

const refreshMs = 15_000;
const tones = { ok: 'good', note: 'warn', bad: 'bad' } as const;

const Findings = ({ title, findings }: { title: string; findings: readonly Finding[] }) => (
  <Section title={title}>
    <ul className="rows" aria-label={title}>
      {findings.map(({ level, text, remedy }) => (
        <li key={text}>
          <div>
            <span>{text}</span>
            {remedy !== undefined && <small>{remedy}</small>}
          </div>
          <Badge tone={tones[level]}>{strings.levels[level]}</Badge>
        </li>
      ))}
    </ul>
  </Section>
);

function summarize(findings: readonly Finding[]): string {
  const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length;
  if (count('bad') > 0) return strings.bad(count('bad'));
  return count('note') > 0 ? strings.notes(count('note')) : strings.allWell;
}

/** The state of the whole installation in sentences, for administrators. */
export default function HealthPage() {
  const health = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => callOwn<Health>('GET', '/health', undefined, signal),
    refetchInterval: refreshMs,
  });
  return (
    <Page
      title={strings.title}
      lead={strings.lead}
      actions={
        <Button isPending={health.isFetching} onPress={() => void health.refetch()}>
          {strings.refresh}
        </Button>
      }
    >
      <Loaded query={health}>
        {(record) => {
          const engines = describeEngines(record);
          const waiting = describeWaiting(record);
          const backups = describeBackups(record, Date.now());
          return (
            <>
              <p role="status">
                <strong>{summarize([...engines, ...waiting, ...backups])}</strong>
              </p>
              <Findings title={strings.engines} findings={engines} />
              <Findings title={strings.waiting} findings={waiting} />
              <Findings title={strings.backups} findings={backups} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
