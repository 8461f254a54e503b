// Runs as a separate process, so that its work does not disturb the measuring test: it receives a FloodOrder, reports
// when it has started, and sends a FloodReport when told to end.
import type { Flood } from './client.ts';
import { createLargeItems, readListsSlowly } from './content.ts';
import { sendDeliveries } from './deliveries.ts';
import type { FloodInput } from './input.ts';
import { createLedger } from './ledger.ts';
import { checkSlowly, importSlowly, uploadLargeFiles } from './media.ts';
import { startSlowSource } from './slow-source.ts';
import { publishCrashingSites, publishSlowSites } from './templates.ts';
import { sendWrongSignatures } from './wrong-signatures.ts';

const kinds = [
  importSlowly,
  checkSlowly,
  sendDeliveries,
  sendWrongSignatures,
  uploadLargeFiles,
  createLargeItems,
  readListsSlowly,
  publishSlowSites,
  publishCrashingSites,
];

async function run(input: FloodInput): Promise<void> {
  const ending = new AbortController();
  const flood: Flood = { input, ledger: createLedger(), signal: ending.signal };
  await startSlowSource(input.sourcePort, ending.signal);
  const working = Promise.all(kinds.map((work) => work(flood)));
  process.send!('begun');
  process.once('message', () => ending.abort());
  process.once('disconnect', () => process.exit(1));
  await working;
  process.send!(flood.ledger.report());
}

process.once('message', (input: FloodInput) => void run(input));
