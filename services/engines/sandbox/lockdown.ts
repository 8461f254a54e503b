import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import tls from 'node:tls';
import workerThreads from 'node:worker_threads';

const refuse = (): never => {
  throw new Error('The network is not available here.');
};

type Poisonable = Record<string, unknown>;

function poison(target: object, names: string[]): void {
  for (const name of names) {
    if (!(name in target)) continue;
    Object.defineProperty(target as Poisonable, name, { value: refuse, writable: false, configurable: false });
  }
}

const dnsNames = [
  'lookup',
  'lookupService',
  'resolve',
  'resolve4',
  'resolve6',
  'resolveAny',
  'resolveTxt',
  'resolveSrv',
  'reverse',
];

/**
 * Disables network access of this process as far as JavaScript can: every way to open a socket, resolve a name or start
 * another process throws. This is defence in depth only, without effect on native code: the actual protection is that
 * templates are data for a compiler, that components run in an isolate, and the network namespace where available.
 */
export function lockDown(): void {
  poison(net.Socket.prototype, ['connect']);
  poison(net.Server.prototype, ['listen']);
  poison(net, ['connect', 'createConnection', 'createServer']);
  poison(tls, ['connect', 'createServer']);
  poison(http, ['request', 'get', 'createServer']);
  poison(https, ['request', 'get', 'createServer']);
  poison(http2, ['connect', 'createServer', 'createSecureServer']);
  poison(dgram, ['createSocket']);
  poison(dns, dnsNames);
  poison(dns.promises, dnsNames);
  poison(childProcess, ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork']);
  poison(workerThreads, ['Worker']);
  poison(globalThis, ['fetch', 'WebSocket', 'EventSource']);
  syncBuiltinESMExports();
}
