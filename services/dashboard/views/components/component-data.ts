import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { components } from '../../../client/schema.ts';
import { dataOf, ifMatch, pageOf, rest, taggedDataOf } from '../../app/api.ts';
import type { RecordAccess } from '../../parts/edited-record.tsx';
import { notify, notifyProblem } from '../../parts/notify.ts';
import { strings } from './strings.ts';

export type ComponentBody = Required<components['schemas']['PutComponentBody']>;
export type TriedComponent = components['schemas']['TriedComponent'];
export type Component = components['schemas']['ComponentWithSource'];

// the editor of items reads the first page under the key of a site
const componentsKey = (site: string) => ['components', site] as const;
const storedKey = (site: string, handle: string) => [...componentsKey(site), 'stored', handle] as const;

/** Returns what a new component of a kind begins with. */
export const startOf = (type: ComponentBody['type']): ComponentBody => ({
  type,
  source_code:
    type === 'html'
      ? '<p>{{ text }}</p>\n'
      : 'export default function Component({ text }) {\n  return <p>{text}</p>;\n}\n',
  css: 'p {\n  font-weight: bold;\n}\n',
  variables_schema: { text: { type: 'string', default: 'Hello' } },
});

export const bodyOf = ({ type, source_code, css, variables_schema }: Component): ComponentBody => ({
  type,
  source_code,
  css,
  variables_schema,
});

/** A page of the components, last changed first. */
export const useComponents = (site: string, page: number) =>
  useQuery({
    queryKey: [...componentsKey(site), 'page', page],
    queryFn: ({ signal }) => {
      const query = { page, per_page: 50 };
      return pageOf(rest.GET('/sites/{site}/components', { params: { path: { site }, query }, signal }));
    },
  });

const read = (site: string, handle: string) =>
  taggedDataOf<Component>(rest.GET('/sites/{site}/components/{handle}', { params: { path: { site, handle } } }));

/** Renders a component as it is edited. */
export const useTrial = (
  site: string,
  handle: string,
  body: ComponentBody & { vars: Record<string, unknown> },
  isEnabled: boolean,
) =>
  useQuery({
    queryKey: ['component-trial', site, handle, body],
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) => {
      const params = { path: { site, handle } };
      return dataOf<TriedComponent>(rest.POST('/sites/{site}/components/{handle}/try', { params, body, signal }));
    },
  });

/** Returns the calls on components. Each says what it did and, where it can, offers to undo it. */
export function useComponentCalls(site: string) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: componentsKey(site), predicate: isList });
  const isList = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[2] !== 'stored';
  const put = async (handle: string, body: ComponentBody, headers: Record<string, string> = {}) => {
    const params = { path: { site, handle } };
    const written = await taggedDataOf(rest.PUT('/sites/{site}/components/{handle}', { params, body, headers }));
    await refresh();
    return written;
  };
  const drop = async (handle: string) => {
    await rest.DELETE('/sites/{site}/components/{handle}', { params: { path: { site, handle } } });
    client.removeQueries({ queryKey: storedKey(site, handle) });
    await refresh();
  };
  const replace = async (handle: string, body: ComponentBody, tag: string | null) => {
    const { data: written, etag } = await put(handle, body, ifMatch(tag));
    const {
      warnings: [warning],
      ...members
    } = written;
    const text = warning ? strings.savedWith(warning.message) : strings.saved;
    return { data: { ...members, source_code: body.source_code }, etag, text };
  };
  return {
    async create(handle: string, type: ComponentBody['type']) {
      await put(handle, startOf(type), { 'If-None-Match': '*' });
      notify(strings.created(handle), { undo: () => void drop(handle).catch(notifyProblem) });
    },
    /** How the page of a component reads and replaces it. */
    accessTo: (handle: string): RecordAccess<Component, ComponentBody> => ({
      key: storedKey(site, handle),
      read: () => read(site, handle),
      write: (body, etag) => replace(handle, body, etag),
      bodyOf,
    }),
    async remove(handle: string) {
      const { data } = await read(site, handle);
      await drop(handle);
      notify(strings.deleted(handle), { undo: () => void put(handle, bodyOf(data)).catch(notifyProblem) });
    },
  };
}
