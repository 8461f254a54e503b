import { Resolver } from 'node:dns/promises';

/** DNS's own words for "the name has no such record". */
const absent = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * The TXT records of a name, each as one text; an empty list when the name has none. Asks the DNS servers of the machine. Rejects
 * when they do not answer, or answer with a failure, within about ten seconds.
 */
export async function readTxtRecords(name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  try {
    const records = await resolver.resolveTxt(name);
    return records.map((pieces) => pieces.join(''));
  } catch (error) {
    if (absent.has((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
