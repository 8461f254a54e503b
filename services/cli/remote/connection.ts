import type { Command } from 'commander';
import { createClientOf } from '../../client/client.ts';
import { loadConfig } from '../../core/config.ts';
import type { CommonOptions } from '../command-options.ts';
import { CliError, ServiceUnreachable } from '../run-command.ts';
import { defaultDataDir } from '../settings.ts';
import { isRunning, readRunSettings } from '../up/run-settings.ts';
import { operationTable, type UsedOperation } from './operations.ts';
import { type Connection, defaultProfile, readProfiles } from './profiles.ts';

/** Options of every command that can work over REST. */
export interface ConnectionOptions {
  url?: string;
  key?: string;
  profile?: string;
  json?: boolean;
}

/** Adds the options that name a service. */
export function addConnectionOptions(command: Command): Command {
  return command
    .option('--url <origin>', 'URL of a service to use over REST')
    .option('--key <key>', 'API key of that service')
    .option('--profile <name>', 'service and key that fieldstone login has kept');
}

/** Adds a subcommand that works over REST only. */
export function addRemoteCommand(group: Command, name: string, description: string): Command {
  return addConnectionOptions(group.command(name).description(description).option('--json', 'print JSON'));
}

const wrongUsage = (message: string) => new CliError(message, { code: 'usage' });

/** Returns the origin of an http(s) URL. Throws a CliError `usage` for anything else. */
export function requireOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol)) return url.origin;
  throw wrongUsage(`The URL of a service is an http(s) URL such as https://cms.example.com, not "${text}".`);
}

function checkConnection(url: string | undefined, key: string | undefined): Connection {
  if (url === undefined) throw wrongUsage('Name the service of the key with --url or FIELDSTONE_REMOTE_URL.');
  if (key === undefined) throw wrongUsage('Name the key of the service with --key or FIELDSTONE_REMOTE_KEY.');
  if (!/^[\x21-\x7e]+$/.test(key)) throw wrongUsage('The key has characters that no API key has.');
  return { url: requireOrigin(url), key };
}

async function readProfile(name: string): Promise<Connection> {
  const found = (await readProfiles()).get(name);
  if (!found) {
    const message = `There is no profile ${name}: sign in with fieldstone login, or add one with fieldstone profiles save.`;
    throw new CliError(message, { code: 'not_found' });
  }
  return found;
}

/**
 * Returns the connection that the options or else the environment name; undefined if they name none. Throws a CliError
 * for an incomplete one and an unknown profile.
 */
async function findNamed(options: ConnectionOptions, env: NodeJS.ProcessEnv): Promise<Connection | undefined> {
  const { url, key, profile } = options;
  if (profile !== undefined && (url ?? key) !== undefined)
    throw wrongUsage('Use either --profile, or --url and --key.');
  const { remoteUrl, remoteKey, remoteProfile } = loadConfig(env);
  if (profile !== undefined) return readProfile(profile);
  if ((url ?? key) !== undefined) return checkConnection(url ?? remoteUrl, key ?? remoteKey);
  if (remoteProfile !== undefined) return readProfile(remoteProfile);
  return (remoteUrl ?? remoteKey) === undefined ? undefined : checkConnection(remoteUrl, remoteKey);
}

/** Returns the connection of a command that works over REST only: as named, else that of the default profile. */
export async function requireConnection(options: ConnectionOptions, env = process.env): Promise<Connection> {
  const found = (await findNamed(options, env)) ?? (await readProfiles()).get(defaultProfile);
  if (found) return found;
  throw wrongUsage('Name a service: sign in with fieldstone login URL, or use --url and --key.');
}

/** Returns whether the environment or the default data folder names an installation. */
function hasInstallation(env: NodeJS.ProcessEnv): boolean {
  if (loadConfig(env).databaseUrl !== undefined) return true;
  const run = readRunSettings(defaultDataDir);
  return run !== undefined && isRunning(run);
}

/**
 * Returns the connection of a command that can also work on the engines of this machine; undefined for these. The first
 * of these decides: the options, the environment, an installation on this machine, the default profile.
 */
export async function chooseConnection(
  options: CommonOptions & ConnectionOptions,
  env = process.env,
): Promise<Connection | undefined> {
  const isNamed = (options.url ?? options.key ?? options.profile) !== undefined;
  if (options.data !== undefined && isNamed)
    throw wrongUsage('Use either --data, or a service over REST (--url and --key, or --profile).');
  if (options.data !== undefined) return undefined;
  const named = await findNamed(options, env);
  if (named || hasInstallation(env)) return named;
  return (await readProfiles()).get(defaultProfile);
}

/**
 * Sends a request. Does not follow redirects, which would send the key elsewhere. Throws ServiceUnreachable, and a
 * CliError if something else than the service responds.
 */
export async function send(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const { origin } = new URL(input instanceof Request ? input.url : input);
  let response: Response;
  try {
    response = await fetch(input, { ...init, redirect: 'manual' });
  } catch (error) {
    init?.signal?.throwIfAborted();
    const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
    const reason = cause?.code ?? cause?.message ?? message;
    throw new ServiceUnreachable(`The service at ${origin} cannot be reached: ${reason}.`, { cause: error });
  }
  if (response.status >= 300 && response.status < 400)
    throw new CliError(
      `${origin} redirects to ${response.headers.get('location')}; use the URL of the service itself.`,
    );
  if (response.ok && !response.headers.has('x-request-id'))
    throw new CliError(`There is no Fieldstone service at ${origin}.`);
  return response;
}

/** Creates the typed client of a service, for the operations that commands use. */
export const openClient = ({ url, key }: Connection) =>
  createClientOf<UsedOperation>(operationTable, { url, key, fetch: send });

export type RemoteClient = ReturnType<typeof openClient>;
