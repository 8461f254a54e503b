import { invalid, problem } from '../../../core/errors.ts';
import type { App } from '../../app.ts';
import { createMedia, requireAlt, wakeMedia } from '../library.ts';
import { limitOf, receiveFile } from '../receive.ts';
import type { MediaRow } from '../row.ts';
import { sniff, sniffBytes } from '../sniff.ts';
import { readMetadata } from './metadata.ts';
import { appendPart, completeUpload, type Part, type UploadRow } from './sql.ts';

const conflictingWrite = () =>
  problem('conflict', 'Another request has written to this upload; read its offset again.');

/** Checks the first bytes, so that an upload that must fail ends before the rest is sent. */
async function checkFirstBytes({ config }: App, upload: UploadRow, head: Buffer): Promise<void> {
  if (head.length < Math.min(sniffBytes, upload.length)) return;
  const { filename, alt = null, decorative = false } = readMetadata(upload.metadata);
  const { kind } = await sniff(head.subarray(0, sniffBytes), filename);
  requireAlt(kind, alt, decorative);
  const maxBytes = limitOf(kind, config.mediaLimits);
  if (upload.length > maxBytes)
    throw problem('too_large', `The file is larger than the ${maxBytes} bytes allowed for its kind.`);
}

async function* readParts({ objects }: App, parts: readonly Part[]): AsyncGenerator<Buffer> {
  for (const { hash } of parts) yield* (await objects.getStream(hash)) as AsyncIterable<Buffer>;
}

/** Assembles the parts and adds the file to the library, in the transaction that completes the upload. */
async function complete(app: App, upload: UploadRow, offset: number, parts: readonly Part[]): Promise<void> {
  const { filename, alt = null, decorative = false } = readMetadata(upload.metadata);
  const file = await receiveFile(app, readParts(app, parts), filename, { minBytes: upload.length });
  let row: MediaRow | undefined;
  await app.db.transaction(async (tx) => {
    const writer = { userId: upload.created_by, onlyOwn: false };
    const scope = { app, db: tx, site: { id: upload.site_id }, writer };
    row = await createMedia(scope, { file, alt, decorative, sourceUrl: null });
    if (!(await completeUpload(tx, upload.id, offset, row.id))) throw conflictingWrite();
  });
  wakeMedia(app, row!);
}

/**
 * Appends bytes to `upload`; returns its new state. The upload is complete exactly when its item is in the library.
 * Throws `too_large`, `validation_failed`, `conflict`.
 */
export async function appendBytes(app: App, upload: UploadRow, data: Buffer): Promise<UploadRow> {
  const { received: offset, length } = upload;
  const end = offset + data.length;
  if (end > length) throw invalid([{ path: '', message: 'The body is longer than Upload-Length' }]);
  if (offset === 0) await checkFirstBytes(app, upload, data);
  const part: Part = { hash: await app.objects.putBytes(data), bytes: data.length };
  const parts = [...upload.parts, part];
  if (end === length) {
    await complete(app, upload, offset, parts);
  } else {
    await app.db.transaction(async (tx) => {
      await app.objects.pin(tx, [part.hash]);
      if (!(await appendPart(tx, upload.id, offset, part))) throw conflictingWrite();
    });
  }
  return { ...upload, received: end, parts };
}
