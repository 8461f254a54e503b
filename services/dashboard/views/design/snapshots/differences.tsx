import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '../../../../client/schema.ts';
import { pageOf, rest } from '../../../app/api.ts';
import { Button } from '../../../parts/button.tsx';
import { CodeBlock } from '../../../parts/code-block.tsx';
import { CodeComparison } from '../../../parts/code-editor/index.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { Pager } from '../../../parts/pager.tsx';
import { createFileRequests, languageOf } from '../files.ts';
import { strings } from '../strings.ts';
import { textBefore } from './before.ts';

type Difference = components['schemas']['ShellDifference'];

/** Both versions of a file that has changed; only its diff if the file has changed again meanwhile. */
function FileDifference({ site, difference }: { site: string; difference: Difference }) {
  const { path, change, diff, diff_omitted: omitted } = difference;
  const present = useQuery({
    queryKey: ['shell', site, 'text', path, difference.after?.sha256 ?? ''],
    queryFn: async () => (change === 'removed' ? '' : ((await createFileRequests(site).read(path))?.text ?? '')),
  });
  if (diff === null) return <p className="field-description">{strings.omitted[omitted ?? 'binary']}</p>;
  return (
    <Loaded query={present}>
      {(after) => {
        const before = textBefore(after, diff);
        if (before === null) return <CodeBlock label={path} text={diff} />;
        return <CodeComparison label={path} language={languageOf(path) ?? 'text'} before={before} after={after} />;
      }}
    </Loaded>
  );
}

function PathRow({ site, difference }: { site: string; difference: Difference }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <div className="difference-line">
        <Button variant="quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          <code>{difference.path}</code>
        </Button>
        <span className="badge">{strings.changes[difference.change]}</span>
      </div>
      {isOpen && <FileDifference site={site} difference={difference} />}
    </li>
  );
}

/** The files that differ between a snapshot and the present. */
export function Differences({ site, rev }: { site: string; rev: string }) {
  const [page, setPage] = useState(1);
  const differences = useQuery({
    queryKey: ['shell', site, 'differences', rev, page],
    queryFn: ({ signal }) =>
      pageOf(rest.GET('/sites/{site}/shell/diff', { params: { path: { site }, query: { from: rev, page } }, signal })),
  });
  return (
    <Loaded query={differences}>
      {({ data, pagination }) =>
        data.length === 0 ? (
          <p className="field-description">{strings.noDifferences}</p>
        ) : (
          <>
            <ul className="differences">
              {data.map((difference) => (
                <PathRow key={difference.path} site={site} difference={difference} />
              ))}
            </ul>
            <Pager pagination={pagination} onChange={setPage} />
          </>
        )
      }
    </Loaded>
  );
}
