import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { components } from '../../../client/schema.ts';
import { dataOf, pageOf, rest } from '../../app/api.ts';
import { Problem, toProblem } from '../../app/problem.ts';
import { notify, notifyProblem } from '../../parts/notify.ts';
import { strings } from './strings.ts';

export type Redirect = components['schemas']['Redirect'];
export type Rule = Required<components['schemas']['CreateRedirectBody']>;

/** The statuses of a redirect; the first one is the usual one. */
export const statuses = [301, 302, 307, 308] as const satisfies readonly Rule['status'][];

const redirectsKey = (site: string) => ['redirects', site] as const;

/** A page of the redirects whose path or target contains `q`. */
export const useRedirects = (site: string, q: string, page: number) =>
  useQuery({
    queryKey: [...redirectsKey(site), q, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const query = { page, per_page: 50, ...(q && { q }) };
      return pageOf(rest.GET('/sites/{site}/redirects', { params: { path: { site }, query }, signal }));
    },
  });

/** Shows that the path has a redirect already at its field. */
function atFromField(error: unknown): never {
  const { message, code, status } = toProblem(error);
  if (code !== 'from_taken') throw error;
  throw new Problem(message, { code, status, details: [{ path: 'from', message }] });
}

/** Returns the calls on redirects. Each says what it did and offers to undo it. */
export function useRedirectCalls(site: string) {
  const client = useQueryClient();
  const params = { path: { site } };
  const ofId = (id: string) => ({ path: { site, id } });
  const refresh = () => client.invalidateQueries({ queryKey: redirectsKey(site) });
  const add = async (body: Rule) => {
    const redirect = await dataOf(rest.POST('/sites/{site}/redirects', { params, body })).catch(atFromField);
    await refresh();
    return redirect;
  };
  const drop = async (id: string) => {
    await rest.DELETE('/sites/{site}/redirects/{id}', { params: ofId(id) });
    await refresh();
  };
  const change = async (id: string, body: Rule) => {
    await rest.PATCH('/sites/{site}/redirects/{id}', { params: ofId(id), body }).catch(atFromField);
    await refresh();
  };
  return {
    async create(rule: Rule) {
      const { id, from } = await add(rule);
      notify(strings.added(from), { undo: () => void drop(id).catch(notifyProblem) });
    },
    async update({ id, ...before }: Redirect, rule: Rule) {
      await change(id, rule);
      notify(strings.saved, { undo: () => void change(id, ruleOf(before)).catch(notifyProblem) });
    },
    async remove(redirect: Redirect) {
      await drop(redirect.id);
      notify(strings.deleted(redirect.from), { undo: () => void add(ruleOf(redirect)).catch(notifyProblem) });
    },
  };
}

const ruleOf = ({ from, to, status }: Pick<Redirect, 'from' | 'to' | 'status'>): Rule => ({
  from,
  to,
  status: status as Rule['status'],
});
