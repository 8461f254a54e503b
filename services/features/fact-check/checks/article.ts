import type { Statement, StatementReader } from '../text/statements.ts';
import { checkDates, checkSpans } from './calendar.ts';
import { findInconsistencies } from './consistency.ts';
import type { Finding } from './finding.ts';
import { checkSums } from './sums.ts';

/**
 * Finds everything in the text that is wrong without any source: dates and sums that do not add up, figures that
 * contradict each other. A calculation may span two neighbouring sentences; the finding is then assigned to the second.
 */
export function checkArticle(
  statements: readonly Statement[],
  reader: StatementReader,
  referenceYear: number,
): Finding[] {
  const findings: Finding[] = [];
  const add = (statement: Statement, kind: Finding['kind'], messages: readonly string[]) => {
    findings.push(...messages.map((message) => ({ statement, kind, type: 'arithmetic' as const, message })));
  };
  let previous: Statement | null = null;
  for (const statement of statements) {
    const spans = checkSpans(statement, referenceYear);
    add(statement, 'date', [...checkDates(statement), ...spans]);
    add(statement, 'number', checkSums(statement));
    if (spans.length === 0 && previous && mayContinue(previous, statement)) {
      add(statement, 'date', checkSpans(reader.join(previous, statement), referenceYear));
    }
    previous = spans.length > 0 ? null : statement;
  }
  return [...findings, ...findInconsistencies(statements)];
}

function mayContinue(previous: Statement, statement: Statement): boolean {
  if (previous.block !== statement.block || previous.text.length + statement.text.length > 1000) return false;
  return previous.dates.length === 1 && statement.dates.length === 1 && statement.numbers.length > 0;
}
