import { useMutation } from '@tanstack/react-query';
import { dataOf, rest } from '../../../app/api.ts';
import { Button } from '../../../parts/button.tsx';
import { ProblemView } from '../../../parts/problem-view.tsx';
import type { PanelProps } from './panels.tsx';
import { strings } from './strings.ts';

/** Checks the claims of the item as it is saved (docs/fact-check.md). */
export function FactCheckPanel({ site, state: { item } }: PanelProps) {
  const check = useMutation({
    mutationFn: () =>
      dataOf(rest.POST('/sites/{site}/content/{id}/fact-check', { params: { path: { site, id: item.id } } })),
  });
  const broken = check.data?.links.filter(({ ok }) => !ok) ?? [];
  return (
    <>
      <p className="field-description">{strings.checkFactsHint}</p>
      <div>
        <Button isPending={check.isPending} onPress={() => check.mutate()}>
          {strings.checkFacts}
        </Button>
      </div>
      {check.error && <ProblemView error={check.error} />}
      <div aria-live="polite">
        {check.data && check.data.claims.length === 0 && <p>{strings.noClaims}</p>}
        {check.data && check.data.claims.length > 0 && (
          <ul className="claims">
            {check.data.claims.map(({ text, verdict, evidence }) => (
              <li key={text}>
                <span className="verdict" data-verdict={verdict}>
                  {strings.verdicts[verdict]}
                </span>
                <q>{text}</q>
                {evidence.map(({ message, url }) => (
                  <small key={`${message} ${url ?? ''}`}>{message}</small>
                ))}
              </li>
            ))}
          </ul>
        )}
        {broken.length > 0 && (
          <>
            <h3>{strings.brokenLinks}</h3>
            <ul className="plain-list">
              {broken.map(({ url, status }) => (
                <li key={url}>
                  <code>{url}</code> {status}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </>
  );
}
