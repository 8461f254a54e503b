import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { OperationKind } from '../../features/access/policy.ts';
import type { meRecord } from '../../features/people/schema.ts';
import { callOwn } from './api.ts';

/** Who is signed in, with roles and what each role may do. */
export type Me = z.output<typeof meRecord>;
type Role = Me['roles'][number]['role'];

export const meKey = ['me'] as const;

/** The person signed in. Its error has the status 401 if nobody is. */
export const useMeQuery = () =>
  useQuery({
    queryKey: meKey,
    queryFn: ({ signal }) => callOwn<Me>('GET', '/me', undefined, signal),
    staleTime: 60_000,
  });

/** The person signed in, in views, which are only shown to one. */
export function useMe(): Me {
  const me = useQueryClient().getQueryData<Me>(meKey);
  const { data } = useMeQuery();
  return (data ?? me)!;
}

/** Shows the sign-in page after the session has ended, and forgets everything that was read. */
export async function forgetSession(client: QueryClient): Promise<void> {
  await client.resetQueries({ queryKey: meKey });
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meKey[0] });
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
