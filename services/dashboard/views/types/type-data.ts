import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { components } from '../../../client/schema.ts';
import { ifMatch, pageOf, rest, taggedDataOf } from '../../app/api.ts';
import type { RecordAccess } from '../../parts/edited-record.tsx';
import { notify, notifyProblem } from '../../parts/notify.ts';
import { strings } from './strings.ts';

export type ContentType = components['schemas']['ContentType'];
export type TypeBody = components['schemas']['PutTypeBody'];

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

const read = (site: string, type: string) =>
  taggedDataOf<ContentType>(rest.GET('/sites/{site}/types/{type}', { params: { path: { site, type } } }));

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
    const params = { path: { site, type } };
    await rest.DELETE('/sites/{site}/types/{type}', { params, headers: ifMatch(etag) });
    client.removeQueries({ queryKey: storedKey(site, type) });
    await refresh();
  };
  return {
    async create(type: string, body: TypeBody) {
      await put(type, body, { 'If-None-Match': '*' });
      notify(strings.created(body.name), { undo: () => void drop(type).catch(notifyProblem) });
    },
    /** How the page of a type reads and replaces it. */
    accessTo: (type: string): RecordAccess<ContentType, TypeBody> => ({
      key: storedKey(site, type),
      read: () => read(site, type),
      write: async (body, etag) => ({ ...(await put(type, body, ifMatch(etag))), text: strings.saved }),
      bodyOf,
    }),
    async remove(type: string) {
      const { data: record, etag } = await read(site, type);
      await drop(type, etag);
      notify(strings.deleted(record.name), { undo: () => void put(record.type, bodyOf(record)).catch(notifyProblem) });
    },
  };
}
