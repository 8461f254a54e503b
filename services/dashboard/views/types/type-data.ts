import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { components } from '../../../client/schema.ts';
import { pageOf, rest, taggedDataOf } from '../../app/api.ts';
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
    await rest.PUT('/sites/{site}/types/{type}', { params: { path: { site, type } }, body, headers });
    await refresh();
  };
  const drop = async (type: string) => {
    await rest.DELETE('/sites/{site}/types/{type}', { params: { path: { site, type } } });
    client.removeQueries({ queryKey: storedKey(site, type) });
    await refresh();
  };
  const show = async (type: string, version?: number) => {
    const stored = await readStored(site, type);
    client.setQueryData<Stored>(storedKey(site, type), { ...stored, version: version ?? stored.version });
  };
  return {
    async create(type: string, body: TypeBody) {
      await put(type, body, { 'If-None-Match': '*' });
      notify(strings.created(body.name), { undo: () => void drop(type).catch(notifyProblem) });
    },
    /** Rejects with 412 if somebody else has changed it since it was read, unless `isForced`. */
    async save({ data, etag, version }: Stored, body: TypeBody, { isForced = false } = {}) {
      await put(data.type, body, etag === null || isForced ? {} : { 'If-Match': etag });
      await show(data.type, version);
      const undo = () =>
        void put(data.type, bodyOf(data))
          .then(() => show(data.type))
          .catch(notifyProblem);
      notify(strings.saved, { undo });
    },
    reload: (type: string) => show(type),
    async remove(record: ContentType) {
      await drop(record.type);
      notify(strings.deleted(record.name), { undo: () => void put(record.type, bodyOf(record)).catch(notifyProblem) });
    },
  };
}
