import { randomUUID } from 'node:crypto';
import { signBody } from '../../../services/features/inbound/signature.ts';
import { ask, type Flood, pause } from './client.ts';
import type { FloodInput } from './input.ts';
import { makeText } from './text.ts';

type Integration = FloodInput['integrations'][number];

/** Concurrent deliveries of one integration. */
const sentAtOnce = 4;
/** Bytes of a delivery in addition to its text. */
const otherMembersBytes = 1000;

function makeBody(sourceRef: string, bytes: number): Buffer {
  const body_html = makeText(bytes - otherMembersBytes);
  return Buffer.from(
    JSON.stringify({ source_ref: sourceRef, title: `Delivered ${sourceRef}`, body_html, status: 'published' }),
  );
}

/** Sends every delivery of every integration until it is accepted once. */
export async function sendDeliveries(flood: Flood): Promise<void> {
  const { signal, input } = flood;
  const { deliveries, largestDeliveries, largestDeliveryBytes, otherDeliveryBytes } = input.amounts;

  async function sendOne({ slug, secret }: Integration, n: number): Promise<void> {
    const body = makeBody(`${slug}-${n}`, n < largestDeliveries ? largestDeliveryBytes : otherDeliveryBytes);
    const deliveryId = randomUUID();
    while (!signal.aborted) {
      const headers = { 'X-Delivery-Id': deliveryId, 'X-Service-Signature': signBody(secret, body) };
      const { status, retryAfterMs } = await ask(flood, 'deliveries', `/webhooks/${slug}`, {
        method: 'POST',
        body: new Uint8Array(body),
        headers,
        n,
      });
      if (status === 202 || status === 200) return;
      await pause(retryAfterMs, signal);
    }
  }

  async function sendAll(integration: Integration): Promise<void> {
    const numbers = Array.from({ length: deliveries }, (_, n) => n).values();
    const sender = async () => {
      for (const n of numbers) await sendOne(integration, n);
    };
    await Promise.all(Array.from({ length: sentAtOnce }, sender));
  }
  await Promise.all(input.integrations.map(sendAll));
}
