import { ActionButton } from '../../parts/action-button.tsx';
import { Badge } from '../../parts/badge.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Time } from '../../parts/time.tsx';
import type { Host } from './hosts.ts';
import { strings } from './strings.ts';

function HostState({ host: { record, provenAt } }: { host: Host }) {
  if (record) return <Badge tone="warn">{strings.unproven}</Badge>;
  return <Badge tone="good">{provenAt ? strings.proven : strings.served}</Badge>;
}

const RecordValue = ({ name, value, copy }: { name: string; value: string; copy: string }) => (
  <>
    <dt>{name}</dt>
    <dd className="host-value">
      <code>{value}</code>
      <CopyButton text={value} label={copy} />
    </dd>
  </>
);

/** A host name with its state and, while it waits for it, the DNS record that it needs. */
export function HostRow({
  host,
  onPromote,
  onRemove,
  onCheck,
}: {
  host: Host;
  onPromote?: () => Promise<void>;
  onRemove?: () => Promise<void>;
  onCheck?: () => Promise<void>;
}) {
  const { name, isMain, record, provenAt } = host;
  return (
    <li className="host">
      <div>
        <strong>{name}</strong> <HostState host={host} />
        <small>
          {isMain ? strings.mainDomain : strings.redirects}
          {provenAt && (
            <>
              {' · '}
              {strings.proven} <Time at={provenAt} />
            </>
          )}
        </small>
        {record && (
          <div className="host-record">
            <p>{strings.proofText}</p>
            <dl className="facts">
              <RecordValue name={strings.proofName} value={record.name} copy={strings.copyName} />
              <RecordValue name={strings.proofValue} value={record.value} copy={strings.copyValue} />
            </dl>
            {onCheck && (
              <div className="buttons">
                <ActionButton aria-label={strings.checkNowOf(name)} run={onCheck}>
                  {strings.checkNow}
                </ActionButton>
                <small>{strings.checkText}</small>
              </div>
            )}
          </div>
        )}
      </div>
      {onRemove && (
        <div className="buttons">
          {!isMain && onPromote && (
            <ActionButton variant="quiet" aria-label={strings.makeMainOf(name)} run={onPromote}>
              {strings.makeMain}
            </ActionButton>
          )}
          <ActionButton variant="quiet" aria-label={strings.removeOf(name)} run={onRemove}>
            {strings.remove}
          </ActionButton>
        </div>
      )}
    </li>
  );
}
