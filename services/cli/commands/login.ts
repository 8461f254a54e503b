import { hostname } from 'node:os';
import type { Command } from 'commander';
import { requireOrigin } from '../remote/connection.ts';
import { openBrowser, openKeyRequest, waitForKey } from '../remote/login.ts';
import { defaultProfile, profilesPath, readProfiles, requireProfileName, saveProfile } from '../remote/profiles.ts';
import { CliError, command, printable, printResult, splitList } from '../run-command.ts';

/** The scopes that the commands over REST need. */
const scopesOfCommands = [
  'sites:read',
  'content:read',
  'content:write',
  'media:read',
  'media:write',
  'shell:read',
  'shell:write',
  'publish',
  'jobs:read',
];

interface LoginOptions {
  profile: string;
  scopes: string;
  sites: string;
  name: string;
  browser: boolean;
  json?: boolean;
}

/**
 * Returns the URL of the approval page, which a service could replace by anything that the system opens. It is
 * normalised, so that it contains no control characters.
 */
function requirePage(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL(url).href;
  throw new CliError('The service named no page for the approval.');
}

async function login(url: string, { profile, scopes, sites, name, browser, json }: LoginOptions): Promise<void> {
  const origin = requireOrigin(url);
  requireProfileName(profile);
  await readProfiles(); // throws now rather than after the approval
  const request = await openKeyRequest(origin, { name, scopes: splitList(scopes), sites: splitList(sites) });
  const page = requirePage(request.url);
  process.stderr.write(`Approve the code ${printable(request.code)} at ${page}\n`);
  if (browser && process.stdout.isTTY) openBrowser(page);
  const { user, key } = await waitForKey(origin, request);
  await saveProfile(profile, { url: origin, key: key.key });
  const result = { profile, url: origin, user, key_id: key.id, scopes: key.scopes, sites: key.sites };
  printResult(result, json, () =>
    printable(`Signed in as ${user}. The key ${key.id} is kept as profile ${profile} in ${profilesPath()}.`),
  );
}

/** Adds `fieldstone login`. */
export function register(program: Command): void {
  program
    .command('login <url>')
    .description('get an API key that you approve in the dashboard, and keep it as a profile')
    .option('--profile <name>', 'the profile', defaultProfile)
    .option('--scopes <list>', 'scopes of the key, comma-separated', scopesOfCommands.join(','))
    .option('--sites <list>', "site slugs, comma-separated, or '*' for every site", '*')
    .option('--name <name>', 'name of the key', `fieldstone on ${hostname()}`)
    .option('--no-browser', 'print the URL only')
    .option('--json', 'print JSON')
    .action(command(login));
}
