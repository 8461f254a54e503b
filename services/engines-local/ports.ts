import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { writePrivateFile } from './files.ts';

const loopback = '127.0.0.1';

/** Listens on a port for a moment; answers the port, or undefined when it is taken. 0 asks for any free one. */
async function probe(port: number, host: string): Promise<number | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address ? address.port : undefined;
      server.close(() => resolve(bound));
    });
  });
}

/** Whether nothing listens on the port of this address yet. */
export async function isPortFree(port: number, host = loopback): Promise<boolean> {
  return (await probe(port, host)) !== undefined;
}

/** A loopback port that nobody listens on at this moment. */
export async function findFreePort(): Promise<number> {
  const port = await probe(0, loopback);
  if (port === undefined) throw new Error('This machine has no free loopback port left.');
  return port;
}

function readPorts(file: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
  } catch {
    return {}; // first start, or a file cut short by a crash: ports may be chosen anew at any time
  }
}

/**
 * Chooses a loopback port for each name: the one of the last run when it is still free, else a new one.
 * The choice is kept in `ports.json` of the data folder.
 */
export async function choosePorts<Name extends string>(dataDir: string, names: Name[]): Promise<Record<Name, number>> {
  const file = path.join(dataDir, 'ports.json');
  const known = readPorts(file);
  const chosen: Record<string, number> = {};
  for (const name of names) {
    const earlier = known[name];
    const taken = Object.values(chosen);
    let port = earlier && !taken.includes(earlier) && (await isPortFree(earlier)) ? earlier : await findFreePort();
    while (taken.includes(port)) port = await findFreePort();
    chosen[name] = port;
  }
  writePrivateFile(file, `${JSON.stringify({ ...known, ...chosen }, null, 2)}\n`);
  return chosen as Record<Name, number>;
}
