import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** Cuts every connection and refuses new ones, as an engine that is down does. */
  cut(): void;
  mend(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A way to an engine that a test can cut and mend, so that it takes the engine from one process and no other. */
export async function startTcpProxy(host: string, port: number): Promise<TcpProxy> {
  const open = new Set<Socket>();
  let cut = false;
  const server = createServer((client) => {
    if (cut) return void client.destroy();
    const engine = connect(port, host);
    for (const socket of [client, engine]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        engine.destroy();
      });
    }
    client.pipe(engine).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cutAll = () => {
    cut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut: cutAll,
    mend: () => void (cut = false),
    async [Symbol.asyncDispose]() {
      cutAll();
      server.close();
      await once(server, 'close');
    },
  };
}
