import { Link, Outlet, useLocation, useParams, useRouterState } from '@tanstack/react-router';
import ExternalLink from 'lucide-react/icons/external-link';
import Menu from 'lucide-react/icons/menu';
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../parts/button.tsx';
import { CommandKeys, isCommandKey } from './command-key.tsx';
import { may, useMe } from './session.ts';
import { useShellCommands } from './shell-commands.ts';
import { useSite, useSites } from './sites.ts';
import { strings } from './strings.ts';
import { mainViews, siteViews, type View, viewGroups } from './views.ts';

const Palette = lazy(() => import('./palette.tsx'));

/** Opens the palette with Ctrl+K or Cmd+K, from everywhere on the page. */
function usePaletteKey(open: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isCommandKey(event)) return;
      event.preventDefault();
      event.stopPropagation();
      open();
    };
    // before the code editor, for which Ctrl+K on macOS deletes the rest of the line
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [open]);
}

/**
 * Moves the focus to the content when a link of the navigation, a row or a command has opened another page, so that Tab continues there
 * (docs/decisions/0299). A page that moves the focus itself keeps it.
 */
function useContentFocus(content: RefObject<HTMLElement | null>): void {
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const before = useRef<string>(undefined);
  useEffect(() => {
    const isOther = before.current !== undefined && before.current !== pathname;
    before.current = pathname;
    if (!isOther) return;
    // after the palette and the page have placed the focus
    const frame = requestAnimationFrame(() => {
      const { activeElement } = document;
      if (activeElement === document.body || activeElement?.closest('.shell-side'))
        content.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [content, pathname]);
}

/** Links to views of a site. */
const ViewLinks = ({ site, views, label }: { site: string; views: readonly View[]; label?: string }) => (
  <ul className="shell-nav" aria-label={label}>
    {views.map(({ name, title, icon: Icon }) => (
      <li key={name}>
        <Link to={`/sites/${site}${name && `/${name}`}`} activeOptions={{ exact: name === '' }}>
          <Icon aria-hidden size={18} />
          {title}
        </Link>
      </li>
    ))}
  </ul>
);

function SiteNavigation({ site }: { site: string }) {
  const me = useMe();
  const { data } = useSite(site);
  const views = siteViews.filter(({ needs }) => !needs || may(me, needs, site) !== 'none');
  return (
    <nav aria-label={strings.siteNavigation}>
      <p className="shell-site">
        <span>{data?.name ?? site}</span>
        {data && (
          <a href={data.url} target="_blank" rel="noreferrer" aria-label={strings.openLiveSite}>
            <ExternalLink aria-hidden size={15} />
          </a>
        )}
      </p>
      <ViewLinks site={site} views={views.filter(({ group }) => !group)} />
      {viewGroups.map((heading) => {
        const own = views.filter(({ group }) => group === heading);
        if (own.length === 0) return null;
        return (
          <div key={heading} className="shell-group">
            <p aria-hidden>{heading}</p>
            <ViewLinks site={site} views={own} label={heading} />
          </div>
        );
      })}
    </nav>
  );
}

function MainNavigation({ hasSeveralSites }: { hasSeveralSites: boolean }) {
  const me = useMe();
  return (
    <nav aria-label={strings.mainNavigation} className="shell-foot">
      <ul className="shell-nav">
        {hasSeveralSites && (
          <li>
            <Link to="/" activeOptions={{ exact: true }}>
              {strings.allSites}
            </Link>
          </li>
        )}
        {mainViews
          .filter(({ onlyAdministrators }) => !onlyAdministrators || me.administrator)
          .map(({ name, title, icon: Icon }) => (
            <li key={name}>
              <Link to={`/${name}`}>
                <Icon aria-hidden size={18} />
                {title}
              </Link>
            </li>
          ))}
        <li>
          <Link to="/account" className="shell-account">
            <span aria-hidden className="shell-avatar">
              {(me.name ?? me.email).slice(0, 1).toUpperCase()}
            </span>
            <span>
              {strings.account}
              <small>{me.name ?? me.email}</small>
            </span>
          </Link>
        </li>
      </ul>
    </nav>
  );
}

/** The frame of every page of a person signed in: navigation beside the content, on small screens above it. */
export function Shell() {
  const { site: opened } = useParams({ strict: false }) as { site?: string };
  const { data: sites = [] } = useSites();
  const site = opened ?? (sites.length === 1 ? sites[0]!.slug : undefined);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const { pathname } = useLocation();
  const openPalette = () => setPaletteOpen(true);
  usePaletteKey(openPalette);
  useShellCommands(site);
  const content = useRef<HTMLElement>(null);
  useContentFocus(content);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when the page changes
  useEffect(() => setMenuOpen(false), [pathname]);

  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        {strings.skipToContent}
      </a>
      <header className="shell-side" data-open={isMenuOpen || undefined}>
        <div className="shell-top">
          <Link to="/" className="wordmark">
            <span aria-hidden className="wordmark-stones" />
            {strings.product}
          </Link>
          <IconButton
            className="shell-toggle"
            label={isMenuOpen ? strings.closeMenu : strings.menu}
            aria-expanded={isMenuOpen}
            onPress={() => setMenuOpen(!isMenuOpen)}
          >
            {isMenuOpen ? <X aria-hidden size={20} /> : <Menu aria-hidden size={20} />}
          </IconButton>
        </div>
        <div className="shell-menu">
          <Button variant="quiet" className="shell-search" onPress={openPalette} aria-keyshortcuts="Control+K Meta+K">
            <Search aria-hidden size={16} />
            <span>{strings.searchShort}</span>
            <CommandKeys />
          </Button>
          {site !== undefined && <SiteNavigation site={site} />}
          <MainNavigation hasSeveralSites={sites.length > 1} />
        </div>
      </header>
      <main ref={content} id="content" tabIndex={-1}>
        <Outlet />
      </main>
      {isPaletteOpen && (
        <Suspense>
          <Palette onClose={() => setPaletteOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
