import { type Command, InvalidArgumentError } from 'commander';
import { loadConfig } from '../../core/config.ts';
import { command } from '../run-command.ts';
import { defaultDataDir } from '../settings.ts';

interface UpFlags {
  data: string;
  port?: number;
  edgePort?: number;
  opsPort?: number;
  demo?: boolean;
  temporal?: boolean;
  json?: boolean;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
  return port;
}

async function up(flags: UpFlags): Promise<void> {
  const { runUp } = await import('../up/index.ts');
  const config = loadConfig();
  await runUp(
    {
      dataDir: flags.data,
      port: flags.port ?? config.port,
      edgePort: flags.edgePort ?? config.edgePort,
      opsPort: flags.opsPort ?? 0,
      demo: flags.demo ?? false,
      temporal: flags.temporal ?? false,
      json: flags.json ?? false,
    },
    process.env,
  );
}

/** Adds `fieldstone up`. */
export function register(program: Command): void {
  program
    .command('up')
    .description('run everything on this machine: PostgreSQL, gateway, worker and edge')
    .option('--data <dir>', 'folder that keeps everything', defaultDataDir)
    .option('--port <n>', 'port of the API (default: FIELDSTONE_PORT or 8080; 0 = any free one)', parsePort)
    .option('--edge-port <n>', 'port of the sites (default: FIELDSTONE_EDGE_PORT or 8081; 0 = any free one)', parsePort)
    .option('--ops-port <n>', 'port of health and metrics (default: any free one)', parsePort)
    .option('--demo', 'create and publish the demo site, once')
    .option('--temporal', 'run the actors on a Temporal server of this machine instead of inside the worker')
    .option('--json', 'print JSON')
    .action(command(up));
}
