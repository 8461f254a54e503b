import type { DataFolder } from '../../engines-local/data-folder.ts';
import { choosePorts, isPortFree } from '../../engines-local/ports.ts';
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

/** Ports left open are chosen; one that was named must be free: throws a sentence that names its flag. */
export async function settlePorts(folder: DataFolder, wanted: WantedPorts, host: string): Promise<UpPorts> {
  const named = [
    { value: wanted.port, flag: '--port' },
    { value: wanted.edgePort, flag: '--edge-port' },
    { value: wanted.opsPort, flag: '--ops-port' },
  ].filter(({ value }) => value !== 0);
  for (const { value, flag } of named) {
    if (!(await isPortFree(value, host))) {
      throw new CliError(`Port ${value} is in use: stop what listens there, or choose another one with ${flag}.`);
    }
  }
  const chosen = await choosePorts(folder.path, ['api', 'edge', 'ops', 'gatewayOps', 'workerOps', 'edgeOps']);
  return {
    api: wanted.port || chosen.api,
    edge: wanted.edgePort || chosen.edge,
    ops: wanted.opsPort || chosen.ops,
    roleOps: { gateway: chosen.gatewayOps, worker: chosen.workerOps, edge: chosen.edgeOps },
  };
}

/** What every role is told: the caller's environment, the engines of this machine, the secret key, and where to listen. */
export function planEnvironment(
  inherited: NodeJS.ProcessEnv,
  folder: Pick<DataFolder, 'credentials' | 'marker'>,
  engines: Environment,
  listen: { host: string; ports: UpPorts },
): Environment {
  const given = Object.entries(inherited).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const hasSecretKey = inherited['FIELDSTONE_SECRET_KEY'] || inherited['FIELDSTONE_SECRET_KEY_FILE'];
  return {
    ...Object.fromEntries(given),
    ...(hasSecretKey ? {} : { FIELDSTONE_SECRET_KEY: folder.credentials.secretKey }),
    ...engines,
    FIELDSTONE_HOST: listen.host,
    FIELDSTONE_PORT: String(listen.ports.api),
    FIELDSTONE_EDGE_PORT: String(listen.ports.edge),
    ...folder.marker,
  };
}

/** The part of a role's environment that other commands need to reach the running service. */
export function pickRunSettings(environment: Environment): Environment {
  const wanted = /^(DATABASE_|TEMPORAL_|S3_|BACKUP_S3_|FIELDSTONE_(SECRET_KEY|URL|EDGE_URL|PORT|EDGE_PORT|BACKUP_))/;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => wanted.test(name)));
}
