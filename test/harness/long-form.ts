/** Whether this run is the step `long` of `npm test`. */
const isLong = process.env['FIELDSTONE_TEST_LONG'] === 'true';

/**
 * Selects the size of an input or a number of runs: `short` in the step `unit`, which should take seconds, `long` in
 * the step `long`, which runs the files that import this one again.
 */
export const sized = (short: number, long: number): number => (isLong ? long : short);
