import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { components } from '../../../client/schema.ts';
import { pageOf, rest, taggedDataOf } from '../../app/api.ts';
import { mergeEdits } from '../../parts/json.ts';
import { notify, notifyProblem } from '../../parts/notify.ts';
import { strings } from './strings.ts';

export type ContentType = components['schemas']['ContentType'];
export type TypeBody = components['schemas']['PutTypeBody'];

/** A type as the page was opened. `version` changes when the page must show the record again. */
export interface Stored {
  data: ContentType;
  etag: string | null;
  version: number;
}

const typesKey = (site: string) => ['types', site] as const;
const storedKey = (site: string, type: string) => [...typesKey(site), 'stored', type] as const;
const bodyOf = ({ name, fields_schema }: ContentType): TypeBody => ({ name, fields_schema });

/** The types of a site that have fields, by name. */
export const useTypes = (site: string) =>
  useQuery({
    queryKey: [...typesKey(site), 'all'],
    queryFn: async ({ signal }) => {
      const query = { per_page: 100 };
      return (await pageOf(rest.GET('/sites/{site}/types', { params: { path: { site }, query }, signal }))).data;
    },
  });

const readStored = async (site: string, type: string): Promise<Stored> => {
  const request = rest.GET('/sites/{site}/types/{type}', { params: { path: { site, type } } });
  return { ...(await taggedDataOf<ContentType>(request)), version: Date.now() };
};

/** A type as it was when the page was opened; later changes are found when it is saved. */
export const useStored = (site: string, type: string) =>
  useQuery({
    queryKey: storedKey(site, type),
    queryFn: () => readStored(site, type),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Returns the calls on types. Each says what it did and offers to undo it. */
export function useTypeCalls(site: string) {
  const client = useQueryClient();
  const isList = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[2] !== 'stored';
  const refresh = () => client.invalidateQueries({ queryKey: typesKey(site), predicate: isList });
  const put = async (type: string, body: TypeBody, headers: Record<string, string> = {}) => {
    const request = rest.PUT('/sites/{site}/types/{type}', { params: { path: { site, type } }, body, headers });
    const written = await taggedDataOf<ContentType>(request);
    await refresh();
    return written;
  };
  const drop = async (type: string, etag: string | null = null) => {
    const headers = etag === null ? {} : { headers: { 'If-Match': etag } };
    await rest.DELETE('/sites/{site}/types/{type}', { params: { path: { site, type } }, ...headers });
    client.removeQueries({ queryKey: storedKey(site, type) });
    await refresh();
  };
  const show = (stored: Stored) => client.setQueryData<Stored>(storedKey(site, stored.data.type), stored);
  const replace = async (type: string, body: TypeBody, etag: string | null, version: number) => {
    const written = await put(type, body, etag === null ? {} : { 'If-Match': etag });
    show({ ...written, version });
    return written.etag;
  };
  return {
    async create(type: string, body: TypeBody) {
      await put(type, body, { 'If-None-Match': '*' });
      notify(strings.created(body.name), { undo: () => void drop(type).catch(notifyProblem) });
    },
    /**
     * Rejects with 412 if another user has changed it since it was read. Undo shows the record again unless `isDirty`, which would lose
     * what was written since.
     */
    async save({ data, etag, version }: Stored, body: TypeBody, isDirty: () => boolean) {
      const saved = await replace(data.type, body, etag, version);
      const undo = () =>
        void replace(data.type, bodyOf(data), saved, isDirty() ? version : Date.now()).catch(notifyProblem);
      notify(strings.saved, { undo });
    },
    /** Saves what `body` changes of the type as it was opened over another user's change, and shows the result. */
    async saveOver({ data }: Stored, body: TypeBody, isDirty: () => boolean) {
      const theirs = await readStored(site, data.type);
      await this.save(theirs, mergeEdits(bodyOf(data), body, bodyOf(theirs.data)), isDirty);
    },
    reload: async (type: string) => show(await readStored(site, type)),
    async remove({ type }: ContentType) {
      const { data: record, etag } = await readStored(site, type);
      await drop(type, etag);
      notify(strings.deleted(record.name), { undo: () => void put(record.type, bodyOf(record)).catch(notifyProblem) });
    },
  };
}
