import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { callOwn } from './api.ts';
import { type Command, useCommands } from './commands.ts';
import { forgetSession, may, useMe } from './session.ts';
import { useSites } from './sites.ts';
import { strings } from './strings.ts';
import { setTheme, type Theme } from './theme.ts';
import { mainViews, siteViews } from './views.ts';

const themes: readonly Theme[] = ['light', 'dark', 'system'];

/** Returns a function that ends the session and shows the sign-in page. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await callOwn('POST', '/sign-out');
    await forgetSession(client);
    await navigate({ to: '/' });
  };
}

/** The commands of every page: views of the site, sites, appearance, account. */
export function useShellCommands(site: string | undefined): void {
  const me = useMe();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { data: sites } = useSites();
  // biome-ignore lint/correctness/useExhaustiveDependencies: signOut and navigate do the same at every render
  const commands = useMemo((): Command[] => {
    const open = (to: string) => () => void navigate({ to });
    const views = site === undefined ? [] : siteViews.filter(({ needs }) => !needs || may(me, needs, site) !== 'none');
    const mayWrite = site !== undefined && may(me, 'content.write', site) !== 'none';
    const write = () => void navigate({ to: `/sites/${site}/content`, search: { write: true } as never });
    return [
      ...(mayWrite ? [{ id: 'write', title: strings.write, group: strings.createGroup, run: write }] : []),
      ...views.map(({ name, title }) => ({
        id: `view:${name}`,
        title,
        group: strings.navigationGroup,
        run: open(`/sites/${site}${name && `/${name}`}`),
      })),
      ...mainViews
        .filter(({ onlyAdministrators }) => !onlyAdministrators || me.administrator)
        .map(({ name, title }) => ({
          id: `main:${name}`,
          title,
          group: strings.navigationGroup,
          run: open(`/${name}`),
        })),
      { id: 'sites', title: strings.allSites, group: strings.navigationGroup, run: open('/') },
      { id: 'account', title: strings.account, group: strings.accountGroup, run: open('/account') },
      { id: 'sign-out', title: strings.signOut, group: strings.accountGroup, run: () => void signOut() },
      ...themes.map((theme) => ({
        id: `theme:${theme}`,
        title: strings.themeCommand[theme],
        group: strings.themeGroup,
        run: () => setTheme(theme),
      })),
      ...(sites ?? [])
        .filter(({ slug }) => slug !== site)
        .map(({ slug, name }) => ({
          id: `site:${slug}`,
          title: strings.goToSite(name),
          group: strings.sitesGroup,
          keywords: slug,
          run: open(`/sites/${slug}`),
        })),
    ];
  }, [me, site, sites]);
  useCommands(commands, { isGeneral: true });
}
