import { setTimeout as sleep } from 'node:timers/promises';
import type { FloodInput } from './input.ts';
import type { Ledger } from './ledger.ts';

/** The common context of every kind of work of a flood. */
export interface Flood {
  input: FloodInput;
  ledger: Ledger;
  /** Aborted when the flood ends. */
  signal: AbortSignal;
}

/**
 * Sends one request, counted under `kind`. Resolves to the reply's status and JSON; a failed connection has the status
 * 0.
 */
export async function ask(
  { input, ledger, signal }: Flood,
  kind: string,
  path: string,
  { n = 0, ...init }: RequestInit & { n?: number } = {},
): Promise<{ status: number; retryAfterMs: number; data: Record<string, unknown> }> {
  const origin = input.gateways[n % input.gateways.length]!;
  ledger.begin(kind);
  try {
    const reply = await fetch(origin + path, {
      signal,
      ...init,
      headers: { 'X-API-Key': input.key, ...init.headers },
    });
    const text = await reply.text();
    ledger.note(kind, reply.status);
    const retryAfterMs = Number(reply.headers.get('retry-after') ?? 0) * 1000;
    return { status: reply.status, retryAfterMs, data: text.startsWith('{') ? (JSON.parse(text).data ?? {}) : {} };
  } catch (error) {
    const { cause, name } = error as Error & { cause?: { code?: string } };
    if (!signal.aborted) ledger.note(kind, cause?.code ?? name);
    return { status: 0, retryAfterMs: 0, data: {} };
  } finally {
    ledger.end(kind);
  }
}

/**
 * A refused client retries after the given time, others at once; a client without any pause would only measure itself.
 */
const shortestPauseMs = 2000;

export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(Math.max(ms, shortestPauseMs), undefined, { signal }).catch(() => undefined);

/** Runs `count` clients that repeat the same work until the flood ends. */
export async function keepBusy(
  count: number,
  signal: AbortSignal,
  work: (n: number) => Promise<{ retryAfterMs: number }>,
): Promise<void> {
  const client = async (n: number) => {
    while (!signal.aborted) {
      const { retryAfterMs } = await work(n);
      await pause(retryAfterMs, signal);
    }
  };
  await Promise.all(Array.from({ length: count }, (_, n) => client(n)));
}
