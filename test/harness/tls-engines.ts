import { once } from 'node:events';
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, type Socket } from 'node:net';
import path from 'node:path';
import { createServer } from 'node:tls';
import type { Credentials } from '../../services/engines-local/credentials.ts';
import { openLogFile } from '../../services/engines-local/log-files.ts';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { preparePostgres } from '../../services/engines-local/postgres.ts';
import { type ProcessSpec, superviseProcess } from '../../services/engines-local/supervise.ts';
import type { Certificate } from './certificates.ts';

const credentials: Credentials = {
  instance: 'tls',
  postgresPassword: 'administrator-of-a-test',
  databasePassword: 'not-used-where-certificates-count',
  secretKey: '',
};

function supervise(spec: ProcessSpec, dataDir: string) {
  const host = { log: openLogFile(dataDir, spec.name), onEvent: () => {}, signal: new AbortController().signal };
  return superviseProcess(spec, host);
}

/** Starts a PostgreSQL that accepts its user `fieldstone` only by TLS with a client certificate of that name. */
export async function startTlsPostgres(dataDir: string, server: Certificate, clientCa: string) {
  const port = await findFreePort();
  const { spec } = await preparePostgres(dataDir, port, credentials, {});
  const directory = path.join(dataDir, 'postgres');
  const write = (name: string, text: string) => {
    const file = path.join(directory, name);
    writeFileSync(file, text, { mode: 0o600 });
    if (spec.identity) chownSync(file, spec.identity.uid, spec.identity.gid);
  };
  const writeCertificate = ({ cert, key }: Certificate) => {
    write('server.crt', cert);
    write('server.key', key);
  };
  writeCertificate(server);
  write('clients.crt', clientCa);
  write('pg_hba.conf', 'host all postgres 127.0.0.1/32 scram-sha-256\nhostssl all fieldstone 127.0.0.1/32 cert\n');
  const settings = ['ssl=on', 'ssl_ca_file=clients.crt'].flatMap((setting) => ['-c', setting]);
  const running = await supervise({ ...spec, args: [...spec.args, ...settings] }, dataDir);
  return {
    /** The form of URLs that CockroachDB and cloud providers issue. */
    url: `postgresql://fieldstone@localhost:${port}/fieldstone?sslmode=verify-full`,
    /** Uses another certificate from the next connection on. */
    changeCertificate(next: Certificate) {
      writeCertificate(next);
      process.kill(Number.parseInt(readFileSync(path.join(directory, 'postmaster.pid'), 'utf8'), 10), 'SIGHUP');
    },
    stop: () => running.stop(),
  };
}

/**
 * Starts a TLS proxy in front of an engine that has no TLS here; with `clientCa`, it requires client certificates of
 * that authority.
 */
export async function startTlsFront(target: string, server: Certificate, clientCa?: string) {
  const { hostname, port } = new URL(target.includes('://') ? target : `tcp://${target}`);
  const mutual = clientCa ? { ca: clientCa, requestCert: true, rejectUnauthorized: true } : {};
  const open = new Set<Socket>();
  const front = createServer({ ...server, ...mutual, ALPNProtocols: ['h2', 'http/1.1'] }, (client) => {
    const engine = connect(Number(port), hostname);
    open.add(client.on('close', () => open.delete(client)));
    client.on('error', () => engine.destroy()).on('close', () => engine.destroy());
    engine.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.pipe(engine).pipe(client);
  });
  front.on('tlsClientError', () => undefined);
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  return {
    address: `localhost:${(front.address() as AddressInfo).port}`,
    stop() {
      front.close();
      for (const socket of open) socket.destroy();
    },
  };
}
