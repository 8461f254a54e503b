import type { RemoteClient } from '../../remote/connection.ts';
import { printable } from '../../run-command.ts';
import { makePreview } from './preview.ts';
import { startDevServer } from './server.ts';
import { watchFolder } from './watch.ts';

export interface DevOptions {
  site: string;
  folder: string;
  port: number;
  /** Called with the URL of the site here, once the server listens. */
  onReady(url: string): void;
  signal: AbortSignal;
}

const report = (line: string): void => {
  process.stderr.write(`${printable(line)}\n`);
};

/**
 * Serves a site with the theme in a folder on this machine, and renders it again after each change, until the signal is
 * aborted. The service renders; the site's shell does not change. Throws what no change of the theme can fix.
 */
export async function runDev(client: RemoteClient, { site, folder, port, onReady, signal }: DevOptions): Promise<void> {
  const server = await startDevServer(port);
  try {
    onReady(server.url);
    let isFirst = true;
    for await (const _change of watchFolder(folder, signal)) {
      const startedAt = performance.now();
      const preview = await makePreview(client, { site, folder, isFirst });
      isFirst = false;
      server.show(preview);
      report(preview.fault?.message ?? `Rendered in ${Math.round(performance.now() - startedAt)} ms.`);
    }
  } finally {
    await server.close();
  }
}
