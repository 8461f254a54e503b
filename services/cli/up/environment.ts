import type { DataFolder } from '../../engines-local/data-folder.ts';
import { choosePorts, findPortFault } from '../../engines-local/ports.ts';
import { CliError } from '../run-command.ts';
import type { RoleName } from './roles.ts';

export type Environment = Record<string, string>;

export interface WantedPorts {
  /** 0 = any free port, the same at every start as long as it is free. */
  port: number;
  edgePort: number;
  opsPort: number;
}

export interface UpPorts {
  api: number;
  edge: number;
  ops: number;
  roleOps: Record<RoleName, number>;
}

const namedPorts = ({ port, edgePort, opsPort }: WantedPorts) =>
  [
    { value: port, flag: '--port' },
    { value: edgePort, flag: '--edge-port' },
    { value: opsPort, flag: '--ops-port' },
  ].filter(({ value }) => value !== 0);

/** Turns a port's system error code into a sentence that says what to do. */
function describePortFault(fault: string, port: number, host: string, flag: string): string {
  if (fault === 'EADDRINUSE')
    return `Port ${port} is in use: stop what listens there, or choose another one with ${flag}.`;
  if (fault === 'EACCES') return `This user may not listen on port ${port}: choose another one with ${flag}.`;
  return `Nothing can listen on port ${port} of ${host} (${fault}): check ${flag} and FIELDSTONE_HOST.`;
}

/** Throws a sentence when two servers have the same port. */
export function requireDistinctPorts(wanted: WantedPorts): void {
  const flags = new Map<number, string>();
  for (const { value, flag } of namedPorts(wanted)) {
    const other = flags.get(value);
    if (other)
      throw new CliError(`${other} and ${flag} are both ${value}: each needs a port of its own.`, { code: 'usage' });
    flags.set(value, flag);
  }
}

/** Chooses the ports that are not set; throws a sentence that names the flag if a requested port is not free. */
export async function settlePorts(folder: DataFolder, wanted: WantedPorts, host: string): Promise<UpPorts> {
  for (const { value, flag } of namedPorts(wanted)) {
    const fault = await findPortFault(value, host);
    if (fault) throw new CliError(describePortFault(fault, value, host, flag));
  }
  const chosen = await choosePorts(
    folder.path,
    ['api', 'edge', 'ops', 'gatewayOps', 'workerOps', 'edgeOps'],
    namedPorts(wanted).map(({ value }) => value),
  );
  return {
    api: wanted.port || chosen.api,
    edge: wanted.edgePort || chosen.edge,
    ops: wanted.opsPort || chosen.ops,
    roleOps: { gateway: chosen.gatewayOps, worker: chosen.workerOps, edge: chosen.edgeOps },
  };
}

/**
 * Returns the environment of every role: the caller's, the engines of this machine, the secret key, and the ports and
 * hosts to listen on.
 */
export function planEnvironment(
  inherited: NodeJS.ProcessEnv,
  folder: Pick<DataFolder, 'path' | 'credentials' | 'marker'>,
  engines: Environment,
  listen: { host: string; ports: UpPorts },
): Environment {
  const defined = Object.entries(inherited).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const hasSecretKey = inherited['FIELDSTONE_SECRET_KEY'] || inherited['FIELDSTONE_SECRET_KEY_FILE'];
  return {
    ...Object.fromEntries(defined),
    ...(hasSecretKey ? {} : { FIELDSTONE_SECRET_KEY: folder.credentials.secretKey }),
    ...engines,
    FIELDSTONE_DATA_DIR: folder.path,
    FIELDSTONE_HOST: listen.host,
    FIELDSTONE_PORT: String(listen.ports.api),
    FIELDSTONE_EDGE_PORT: String(listen.ports.edge),
    ...folder.marker,
  };
}

/** Returns the part of a role's environment that other commands need to use the running service. */
export function pickRunSettings(environment: Environment): Environment {
  const wanted =
    /^(DATABASE_|TEMPORAL_|S3_|BACKUP_S3_|FALLBACK_S3_|FIELDSTONE_(DATA_DIR|MIN_FREE_MB|SECRET_KEY|SMTP_|URL|EDGE_URL|PORT|EDGE_PORT|BACKUP_))/;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => wanted.test(name)));
}
