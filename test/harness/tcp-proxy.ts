import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** Closes every connection and refuses new ones, like an engine that is down. */
  cut(): void;
  /** Keeps connections open and accepts new ones, but passes nothing on, like an engine that hangs. */
  freeze(): void;
  /** Ends a cut or a freeze; passes the held bytes on. */
  restore(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a proxy of an engine that a test can cut and restore, so that only one process loses the engine. */
export async function startTcpProxy(host: string, port: number): Promise<TcpProxy> {
  const open = new Set<Socket>();
  let state: 'open' | 'cut' | 'frozen' = 'open';

  function forward(from: Socket, to: Socket) {
    open.add(from);
    from.on('data', (chunk) => to.write(chunk));
    from.on('error', () => from.destroy());
    from.on('close', () => {
      open.delete(from);
      to.destroy();
    });
    if (state === 'frozen') from.pause();
  }

  const server = createServer((client) => {
    if (state === 'cut') return void client.destroy();
    const engine = connect(port, host);
    forward(client, engine);
    forward(engine, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  function cut() {
    state = 'cut';
    for (const socket of open) socket.destroy();
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    freeze() {
      state = 'frozen';
      for (const socket of open) socket.pause();
    },
    restore() {
      state = 'open';
      for (const socket of open) socket.resume();
    },
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Starts a proxy in front of the engine at this `host:port` or URL, and returns the one that leads through it. */
export async function startProxyOf(address: string): Promise<TcpProxy & { address: string }> {
  const url = new URL(address.includes('://') ? address : `tcp://${address}`);
  const proxy = await startTcpProxy(url.hostname, Number(url.port));
  url.host = `127.0.0.1:${proxy.port}`;
  return { ...proxy, address: address.includes('://') ? url.href.replace(/\/$/, '') : url.host };
}
