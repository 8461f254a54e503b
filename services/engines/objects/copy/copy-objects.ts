import type { Db } from '../../../core/db.ts';
import { type CopyStores, copyObject, type Outcome } from './copy-object.ts';
import { selectObjects } from './progress.ts';

export interface CopyReport {
  /** Number of objects processed. */
  objects: number;
  copied: number;
  /** Number of bytes copied. */
  bytes: number;
  /** Objects that the target had undamaged. */
  present: number;
  /** Objects that neither store has. */
  lost: number;
  /** Hashes of blobs whose bytes in the source do not match. */
  damaged: string[];
}

export interface CopyOptions {
  signal: AbortSignal;
  /** Called after every object. */
  onProgress(report: Readonly<CopyReport>): void;
}

/** Objects copied concurrently; each takes a constant amount of memory. */
const parallel = 4;
/** Maximum number of damaged blobs in the report. */
const maxNamed = 20;

function count(report: CopyReport, outcome: Outcome): void {
  if (outcome.kind === 'gone') return;
  report.objects++;
  if (outcome.kind === 'lost') {
    report.lost++;
    return;
  }
  if (outcome.kind === 'copied') {
    report.copied++;
    report.bytes += outcome.bytes;
  } else report.present++;
  report.damaged.push(...outcome.damaged.slice(0, Math.max(0, maxNamed - report.damaged.length)));
}

/** Runs work on every item, a few concurrently. Rejects with the first error, once all running work has ended. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const failures: unknown[] = [];
  const run = async () => {
    for (const item of left) {
      if (failures.length > 0) return;
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: parallel }, run));
  if (failures.length > 0) throw failures[0];
}

/**
 * Processes every object that SQL knows once: copies those that the target lacks and compares them with their hashes.
 * Takes constant memory, changes nothing in the source, and continues where a killed run stopped. The caller must keep
 * collection from running meanwhile. Throws `unavailable` when a store cannot be reached or the target is full.
 */
export async function copyObjects(db: Db, stores: CopyStores, options: CopyOptions): Promise<CopyReport> {
  const report: CopyReport = { objects: 0, copied: 0, bytes: 0, present: 0, lost: 0, damaged: [] };
  for (let after = ''; ; ) {
    const page = await selectObjects(db, stores.target, after);
    if (page.length === 0) return report;
    await forEach(page, async (object) => {
      options.signal.throwIfAborted();
      count(report, await copyObject(db, stores, object));
      options.onProgress(report);
    });
    after = page.at(-1)!.key;
  }
}
