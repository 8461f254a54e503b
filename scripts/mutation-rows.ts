/** The part of Stryker's JSON report that is read here. */
export interface MutationReport {
  /** By path below the checkout. */
  files: Record<string, { mutants: { status: string }[] }>;
}

const head = ['| file | detected | mutants | measured on |', '| --- | --- | --- | --- |'];
const detectedStatuses = new Set(['Killed', 'Timeout']);
/** Mutants that are not valid programs or were excluded. */
const ignoredStatuses = new Set(['CompileError', 'Ignored']);

const fileOf = (row: string): string => row.split(' | ')[0]!;

/** Returns one row of the table for each file that has mutants. */
export function rowsOf({ files }: MutationReport, measuredAt: Date): string[] {
  return Object.entries(files).flatMap(([file, { mutants }]) => {
    const valid = mutants.filter(({ status }) => !ignoredStatuses.has(status));
    if (valid.length === 0) return [];
    const detected = valid.filter(({ status }) => detectedStatuses.has(status)).length;
    // rounded down: 100 % means that all were detected
    const share = Math.floor((detected / valid.length) * 100);
    return [`| \`${file}\` | ${share} % | ${valid.length} | ${measuredAt.toISOString().slice(0, 10)} |`];
  });
}

/** Returns the table with these rows replacing those of the same files, ordered by file. */
export function mergeRows(table: string, rows: readonly string[]): string {
  const measured = new Set(rows.map(fileOf));
  const kept = table.split('\n').filter((line) => line.startsWith('| `') && !measured.has(fileOf(line)));
  return [...head, ...[...kept, ...rows].sort()].join('\n');
}
