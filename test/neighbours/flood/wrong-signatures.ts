import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { signBody } from '../../../services/features/inbound/signature.ts';
import { type Flood, keepBusy } from './client.ts';

const bodyBytes = 4 * 1024 * 1024;
const chunk = Buffer.alloc(64 * 1024);
const chunkMs = 1000;
const retryMs = 5000;

/**
 * Opens connections to the integrations in turn that send a body with a wrong signature piece by piece and never end
 * it.
 */
export function sendWrongSignatures({ input, ledger, signal }: Flood): Promise<void> {
  const { gateways, integrations } = input;

  async function send(n: number): Promise<void> {
    const { hostname, port } = new URL(gateways[n % gateways.length]!);
    const { slug } = integrations[n % integrations.length]!;
    const socket = connect(Number(port), hostname);
    const ended = once(socket, 'close');
    const status = new Promise<string>((resolve) => {
      socket.once('data', (reply) => resolve(/^HTTP\/1\.1 (\d+)/.exec(reply.toString('latin1'))?.[1] ?? 'unknown'));
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed'));
      socket.once('close', () => resolve('closed'));
    });
    socket.on('error', () => undefined); // its code is the outcome
    const end = () => socket.destroy();
    signal.addEventListener('abort', end, { once: true });
    socket.write(
      `POST /webhooks/${slug} HTTP/1.1\r\nHost: x\r\nX-Delivery-Id: ${randomUUID()}\r\nContent-Length: ${bodyBytes}\r\n` +
        `X-Service-Signature: ${signBody('wrong', Buffer.alloc(0))}\r\n\r\n`,
    );
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    status.then(over, over);
    for (let sent = 0; !isOver && !signal.aborted; ) {
      // the last byte is never sent
      const piece = chunk.subarray(0, Math.min(chunk.length, bodyBytes - 1 - sent));
      if (piece.length > 0) socket.write(piece);
      sent += piece.length;
      await Promise.race([sleep(chunkMs), status]);
    }
    socket.destroy();
    await ended;
    signal.removeEventListener('abort', end);
    if (!signal.aborted) ledger.note('wrongSignatures', await status);
  }

  return keepBusy(input.amounts.wrongSignatures, signal, async (n) => {
    ledger.begin('wrongSignatures');
    await send(n).finally(() => ledger.end('wrongSignatures'));
    return { retryAfterMs: retryMs };
  });
}
