import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { OperationKind } from '../../features/access/policy.ts';
import type { meRecord } from '../../features/people/schema.ts';
import { callOwn } from './api.ts';
import { forgetFirstReads } from './first-reads.ts';
import { toProblem } from './problem.ts';

/** Who is signed in, with roles and what each role may do. */
export type Me = z.output<typeof meRecord>;
type Role = Me['roles'][number]['role'];

export const meKey = ['me'] as const;

/** The person signed in. Its error has the status 401 if the browser is not signed in. */
export const meQuery = queryOptions({
  queryKey: meKey,
  queryFn: ({ signal }) => callOwn<Me>('GET', '/me', undefined, signal),
  staleTime: 60_000,
});
export const useMeQuery = () => useQuery(meQuery);

/** The person signed in, in views, which are only shown to one. */
export function useMe(): Me {
  const me = useQueryClient().getQueryData<Me>(meKey);
  const { data } = useMeQuery();
  return (data ?? me)!;
}

/** Whether a call was refused because there is no session. */
export const isUnauthorized = (error: unknown): boolean => error !== null && toProblem(error).status === 401;

const isOfPages = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== meKey[0];

/** Shows the pages to a person who has signed in. Pages of a session that has ended are read again, for another person from the start. */
export async function startSession(client: QueryClient): Promise<void> {
  forgetFirstReads();
  const before = client.getQueryData<Me>(meKey);
  if (!before) return client.resetQueries({ queryKey: meKey });
  await client.refetchQueries({ queryKey: meKey });
  const isSame = client.getQueryData<Me>(meKey)?.id === before.id;
  await (isSame ? client.invalidateQueries({ predicate: isOfPages }) : client.resetQueries({ predicate: isOfPages }));
}

/** Shows the sign-in page after the person has ended the session, and forgets everything that was read. */
export async function forgetSession(client: QueryClient): Promise<void> {
  forgetFirstReads();
  await client.resetQueries({ queryKey: meKey });
  client.removeQueries({ predicate: isOfPages });
}

/** The roles from the strongest to the weakest, as the policy lists them. */
const ranks: readonly Role[] = ['owner', 'editor', 'author', 'viewer'];

/** Returns the person's role on a site, or undefined. */
export function roleOn(me: Me, site: string): Role | undefined {
  if (me.administrator) return 'owner';
  const own = me.roles.filter((given) => given.site === site || given.site === '*').map(({ role }) => role);
  return ranks.find((role) => own.includes(role));
}

/** Whether the person may do this on the site, to every record (`all`), to their own (`own`), or not at all. The service decides again. */
export function may(me: Me, kind: OperationKind, site: string): 'all' | 'own' | 'none' {
  const role = roleOn(me, site);
  return role === undefined ? 'none' : (me.policy[role][kind] ?? 'none');
}
