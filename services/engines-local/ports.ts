import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { writePrivateFile } from './files.ts';

const loopback = '127.0.0.1';

/**
 * Free ports are chosen from this range: above the privileged and most well-known ports, below the ephemeral ones. The
 * system gives an ephemeral port to any outgoing connection, also between the choice of the port and its use, or while
 * a service restarts.
 */
const chosenFrom = { min: 15_000, max: 30_000 };
const attempts = 100;

/** Listens on a port briefly. Throws the system's error. */
async function probe(port: number, host: string): Promise<void> {
  const server = createServer();
  server.listen({ port, host, exclusive: true });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}

/** Returns why nothing can listen on this port (`EADDRINUSE`, `EACCES`, …), or null when it is free. */
export async function findPortFault(port: number, host = loopback): Promise<string | null> {
  return probe(port, host).then(
    () => null,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
}

/** Returns a random loopback port on which nothing listens at the moment. Throws if it finds none. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = randomInt(chosenFrom.min, chosenFrom.max);
    if ((await findPortFault(port)) === null) return port;
  }
  throw new Error(`No free loopback port was found between ${chosenFrom.min} and ${chosenFrom.max}.`);
}

function readPorts(file: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
  } catch {
    return {}; // first start, or a file truncated by a crash: ports may be chosen again at any time
  }
}

/**
 * Chooses a loopback port for each name: the one of the last run if it is still free, else a new one; never a reserved
 * one. The choice is kept in `ports.json` of the data folder.
 */
export async function choosePorts<Name extends string>(
  dataDir: string,
  names: Name[],
  reserved: readonly number[] = [],
): Promise<Record<Name, number>> {
  const file = path.join(dataDir, 'ports.json');
  const saved = readPorts(file);
  const chosen: Record<string, number> = {};
  for (const name of names) {
    const earlier = saved[name];
    const taken = [...reserved, ...Object.values(chosen)];
    const isFree = earlier && !taken.includes(earlier) && (await findPortFault(earlier)) === null;
    let port = isFree ? earlier : await findFreePort();
    while (taken.includes(port)) port = await findFreePort();
    chosen[name] = port;
  }
  writePrivateFile(file, `${JSON.stringify({ ...saved, ...chosen }, null, 2)}\n`);
  return chosen as Record<Name, number>;
}
