import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, type ReactNode, type RefObject, useRef, useState } from 'react';
import { toProblem } from '../app/problem.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { mergeEdits } from './json.ts';
import { Loaded } from './loaded.tsx';
import { notify, notifyProblem } from './notify.ts';

/** A record with its entity tag. */
export interface Tagged<T> {
  data: T;
  etag: string | null;
}

/** A record as it was when its page was opened or saved it. */
interface Stored<T> extends Tagged<T> {
  /** Changes when the page must show the record again. */
  version: number;
}

/** How one record is read and replaced. `B`: the body of the request that replaces it. */
export interface RecordAccess<T, B extends object> {
  /** The key of the query that has the record. */
  key: readonly unknown[];
  read(): Promise<Tagged<T>>;
  /** Replaces the record if it still has this tag. Returns it with the text that reports this. */
  write(body: B, etag: string | null): Promise<Tagged<T> & { text: string }>;
  /** Returns the body that would store the record again. */
  bodyOf(record: T): B;
}

/** What an editor gets. */
export interface Edited<T, B> {
  record: T;
  /** The editor sets it to whether it has changes that are not saved. */
  dirty: RefObject<() => boolean>;
  /** Saves the record, or asks if another user has changed it meanwhile. */
  save(body: B): Promise<void>;
}

/**
 * Shows the editor of one record. Later changes of other users are found when it is saved: then a dialog offers to save what was edited
 * here over them, or to show them. Each save can be undone; that shows the record again unless the editor has unsaved changes, which
 * would be lost.
 */
export function EditedRecord<T, B extends object>({
  access: { key, read, write, bodyOf },
  children,
}: {
  access: RecordAccess<T, B>;
  children: (edited: Edited<T, B>) => ReactNode;
}) {
  const client = useQueryClient();
  const dirty = useRef(() => false);
  const [refused, setRefused] = useState<{ before: T; body: B }>();
  const readStored = async (): Promise<Stored<T>> => ({ ...(await read()), version: Date.now() });
  const query = useQuery({ queryKey: key, queryFn: readStored, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 });
  const show = (stored: Stored<T>) => client.setQueryData<Stored<T>>(key, stored);
  const replace = async (body: B, tag: string | null, version: number) => {
    const { text, data, etag } = await write(body, tag);
    show({ data, etag, version });
    return { text, etag };
  };
  const save = async ({ data, etag: opened, version }: Stored<T>, body: B) => {
    const { text, etag } = await replace(body, opened, version);
    const undo = () => void replace(bodyOf(data), etag, dirty.current() ? version : Date.now()).catch(notifyProblem);
    notify(text, { undo });
  };
  const saveOrAsk = async (stored: Stored<T>, body: B) => {
    try {
      await save(stored, body);
    } catch (error) {
      if (toProblem(error).status !== 412) throw error;
      setRefused({ before: stored.data, body });
    }
  };
  return (
    <>
      <Loaded query={query}>
        {(stored) => (
          <Fragment key={stored.version}>
            {children({ record: stored.data, dirty, save: (body) => saveOrAsk(stored, body) })}
          </Fragment>
        )}
      </Loaded>
      {refused && (
        <ConflictDialog
          keepMine={async () => {
            const theirs = await readStored();
            await save(theirs, mergeEdits(bodyOf(refused.before), refused.body, bodyOf(theirs.data)));
          }}
          takeTheirs={async () => show(await readStored())}
          onClose={() => setRefused(undefined)}
        />
      )}
    </>
  );
}
