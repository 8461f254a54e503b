/** The part of Stryker's JSON report that is read here. */
export interface MutationReport {
  /** By path below the checkout. */
  files: Record<string, { mutants: { status: string }[] }>;
}

const head = ['| file | detected | mutants | measured on |', '| --- | --- | --- | --- |'];
const detectedStatuses = new Set(['Killed', 'Timeout']);
/** Mutants that are no valid program, or that were not to be made. */
const ignoredStatuses = new Set(['CompileError', 'Ignored']);

const fileOf = (row: string): string => row.split(' | ')[0]!;

/** One row of the table for each file that has mutants. */
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

/** The table with these rows in the place of those of the same files, in the order of the files. */
export function mergeRows(table: string, rows: readonly string[]): string {
  const measured = new Set(rows.map(fileOf));
  const kept = table.split('\n').filter((line) => line.startsWith('| `') && !measured.has(fileOf(line)));
  return [...head, ...[...kept, ...rows].sort()].join('\n');
}
