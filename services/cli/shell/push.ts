import { createLogger } from '../../core/log.ts';
import { openActorClient } from '../../engines/actors/open.ts';
import { openObjectStore } from '../../engines/objects/store.ts';
import { createTemplateChecker } from '../../engines/sandbox/template-checker.ts';
import { pushTheme, type ThemeResult, unpackTheme } from '../../features/shell/index.ts';
import { auditing, siteChange } from '../auditing.ts';
import type { RemoteClient } from '../remote/connection.ts';
import { type CommandContext, requireSite } from '../with-database.ts';
import { openTheme, packTheme } from './theme.ts';

export type PushMode = 'merge' | 'replace';

/** The part of a push's result that `shell push` prints. */
export type Pushed = Omit<ThemeResult, 'warnings'> & { warnings: { message: string }[] };

/** Stores a theme as the shell of a site, on the engines of this machine. */
export async function pushLocally(
  { config, db }: CommandContext,
  slug: string,
  place: string,
  mode: PushMode,
): Promise<Pushed> {
  const site = await requireSite({ db }, slug);
  const templates = createTemplateChecker();
  const actors = await openActorClient(config, createLogger('cli', 'silent'));
  try {
    const audited = auditing(db, siteChange('shell.push', site, 'shell', null));
    const app = { config, db: audited, objects: openObjectStore(config.objects, db), templates };
    const theme = await openTheme(place);
    const files = 'files' in theme ? theme.files : unpackTheme(theme.archive);
    const result = await pushTheme(app, site.id, files, mode);
    if (result.job) actors.wakeSite(site.id);
    return result;
  } finally {
    await Promise.all([actors.close(), templates.stop()]);
  }
}

/** Stores a theme as the shell of a site over REST; the service unpacks the archive. */
export async function pushRemotely(client: RemoteClient, site: string, place: string, mode: PushMode): Promise<Pushed> {
  const theme = await openTheme(place);
  const body = 'files' in theme ? await packTheme(theme.files) : Uint8Array.from(theme.archive);
  return (await client.call('writeShellArchive', { site, query: { mode }, body })).data;
}
