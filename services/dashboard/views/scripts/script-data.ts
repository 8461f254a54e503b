import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { components } from '../../../client/schema.ts';
import { dataOf, pageOf, rest } from '../../app/api.ts';
import { notify, notifyProblem } from '../../parts/notify.ts';
import { strings } from './strings.ts';

export type Script = components['schemas']['Script'];
export type ScriptMembers = Pick<Script, 'name' | 'position' | 'src' | 'code'>;

const scriptsKey = (site: string) => ['scripts', site] as const;

/** Returns scripts in the order in which a page runs them: those of the head first, the oldest first (docs/api.md). */
export function inRunningOrder(scripts: readonly Script[]): Script[] {
  const oldestFirst = [...scripts].reverse();
  return (['head', 'body_end'] as const).flatMap((place) => oldestFirst.filter(({ position }) => position === place));
}

/** The scripts of a site, in the order in which they run. */
export const useScripts = (site: string) =>
  useQuery({
    queryKey: scriptsKey(site),
    queryFn: async ({ signal }) => {
      const query = { per_page: 100 };
      const request = rest.GET('/sites/{site}/scripts', { params: { path: { site }, query }, signal });
      return inRunningOrder((await pageOf(request)).data);
    },
  });

const membersOf = ({ name, position, src, code }: Script): ScriptMembers => ({ name, position, src, code });

/** Returns the calls on scripts. Each says what it did and offers to undo it. */
export function useScriptCalls(site: string) {
  const client = useQueryClient();
  const params = { path: { site } };
  const ofId = (id: string) => ({ path: { site, id } });
  const refresh = () => client.invalidateQueries({ queryKey: scriptsKey(site) });
  const add = async (body: ScriptMembers) => {
    const script = await dataOf(rest.POST('/sites/{site}/scripts', { params, body }));
    await refresh();
    return script;
  };
  const drop = async (id: string) => {
    await rest.DELETE('/sites/{site}/scripts/{id}', { params: ofId(id) });
    await refresh();
  };
  const change = async (id: string, body: ScriptMembers) => {
    await rest.PATCH('/sites/{site}/scripts/{id}', { params: ofId(id), body });
    await refresh();
  };
  return {
    async create(members: ScriptMembers) {
      const { id, name } = await add(members);
      notify(strings.added(name), { undo: () => void drop(id).catch(notifyProblem) });
    },
    async update(before: Script, members: ScriptMembers) {
      await change(before.id, members);
      notify(strings.saved, { undo: () => void change(before.id, membersOf(before)).catch(notifyProblem) });
    },
    async remove(script: Script) {
      await drop(script.id);
      notify(strings.deleted(script.name), { undo: () => void add(membersOf(script)).catch(notifyProblem) });
    },
  };
}
