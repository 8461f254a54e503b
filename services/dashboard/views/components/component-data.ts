import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { components } from '../../../client/schema.ts';
import { dataOf, pageOf, rest, taggedDataOf } from '../../app/api.ts';
import { mergeEdits } from '../../parts/json.ts';
import { notify, notifyProblem } from '../../parts/notify.ts';
import { strings } from './strings.ts';

export type ComponentBody = Required<components['schemas']['PutComponentBody']>;
export type TriedComponent = components['schemas']['TriedComponent'];
export type Component = components['schemas']['ComponentWithSource'];

/** The component as it is edited, and its stored form. */
export interface Stored {
  data: Component;
  etag: string | null;
  /** Changes when the form must show the record again. */
  version: number;
}

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

const readStored = async (site: string, handle: string): Promise<Stored> => {
  const request = rest.GET('/sites/{site}/components/{handle}', { params: { path: { site, handle } } });
  return { ...(await taggedDataOf<Component>(request)), version: Date.now() };
};

/** A component as it was when the page was opened; later changes are found when it is saved. */
export const useStored = (site: string, handle: string) =>
  useQuery({
    queryKey: storedKey(site, handle),
    queryFn: () => readStored(site, handle),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

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
  const show = (stored: Stored) => client.setQueryData<Stored>(storedKey(site, stored.data.handle), stored);
  const replace = async (handle: string, body: ComponentBody, etag: string | null, version: number) => {
    const written = await put(handle, body, etag === null ? {} : { 'If-Match': etag });
    const { warnings, ...data } = written.data;
    show({ data: { ...data, source_code: body.source_code }, etag: written.etag, version });
    return { warnings, etag: written.etag };
  };
  return {
    async create(handle: string, type: ComponentBody['type']) {
      await put(handle, startOf(type), { 'If-None-Match': '*' });
      notify(strings.created(handle), { undo: () => void drop(handle).catch(notifyProblem) });
    },
    /**
     * Rejects with 412 if another user has changed it since it was read. Undo shows the record again unless `isDirty`, which would lose
     * what was written since.
     */
    async save({ data, etag, version }: Stored, body: ComponentBody, isDirty: () => boolean) {
      const { handle } = data;
      const {
        warnings: [warning],
        etag: saved,
      } = await replace(handle, body, etag, version);
      const undo = () =>
        void replace(handle, bodyOf(data), saved, isDirty() ? version : Date.now()).catch(notifyProblem);
      notify(warning ? strings.savedWith(warning.message) : strings.saved, { undo });
    },
    /** Saves what `body` changes of `opened` over another user's change, and shows the result. */
    async saveOver({ data }: Stored, body: ComponentBody, isDirty: () => boolean) {
      const theirs = await readStored(site, data.handle);
      await this.save(theirs, mergeEdits(bodyOf(data), body, bodyOf(theirs.data)), isDirty);
    },
    reload: async (handle: string) => show(await readStored(site, handle)),
    async remove(handle: string) {
      const { data } = await readStored(site, handle);
      await drop(handle);
      notify(strings.deleted(handle), { undo: () => void put(handle, bodyOf(data)).catch(notifyProblem) });
    },
  };
}
