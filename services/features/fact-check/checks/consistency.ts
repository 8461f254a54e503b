import { shorten } from '../find-claims.ts';
import { type NumberFigure, sameFigure, sameSubject } from '../text/numbers.ts';
import { type Statement, sameCircumstances } from '../text/statements.ts';
import { countShared } from '../text/words.ts';
import type { Finding } from './finding.ts';

/**
 * Two sentences have the same subject if the other contains nearly all words of the shorter one, and half of all words
 * are common.
 */
const minContained = 0.8;
const minCommon = 0.5;
const maxPerUnit = 300;

/**
 * Finds places where the text gives two figures for the same thing. Only sentences with a single figure of a unit are
 * compared, and only if they name the same years and neither marks a difference ("another", "today").
 */
export function findInconsistencies(statements: readonly Statement[]): Finding[] {
  const byUnit = new Map<string, { statement: Statement; figure: NumberFigure }[]>();
  for (const statement of statements) {
    for (const figure of listComparable(statement)) {
      const entries = byUnit.get(figure.unit) ?? [];
      if (entries.length < maxPerUnit) entries.push({ statement, figure });
      byUnit.set(figure.unit, entries);
    }
  }
  return [...byUnit.values()].flatMap((entries) =>
    entries.flatMap((left, index) => entries.slice(index + 1).flatMap((right) => compare(left, right))),
  );
}

function listComparable(statement: Statement): NumberFigure[] {
  const figures = statement.numbers.filter((figure) => !figure.isOrdinal);
  return figures.filter((figure) => figures.filter((other) => other.unit === figure.unit).length === 1);
}

interface Entry {
  statement: Statement;
  figure: NumberFigure;
}

function compare(left: Entry, right: Entry): Finding[] {
  const agree = sameFigure(left.figure, right.figure) || sameFigure(right.figure, left.figure);
  if (agree || !sameSubject(left.figure, right.figure) || !haveSameSubject(left.statement, right.statement)) return [];
  if (!haveSameLabels(left, right)) return [];
  const describe = (here: Entry, there: Entry): Finding => ({
    statement: here.statement,
    kind: 'number',
    type: 'article',
    message: `Elsewhere the text says ${there.figure.text}.`,
    excerpt: shorten(there.statement.text, 300),
  });
  return [describe(left, right), describe(right, left)];
}

/**
 * Returns whether the other figures are equal, since "version 2 costs …" and "version 3 costs …" have different
 * subjects.
 */
function haveSameLabels(left: Entry, right: Entry): boolean {
  const listOthers = ({ statement, figure }: Entry) =>
    statement.numbers.filter((other) => other !== figure).map((other) => other.values[0]);
  const [others, more] = [listOthers(left), listOthers(right)];
  return others.length === 0 || more.length === 0 || others.join() === more.join();
}

function haveSameSubject(left: Statement, right: Statement): boolean {
  const smaller = Math.min(left.words.size, right.words.size);
  const shared = countShared(left.words, right.words);
  const common = shared / (left.words.size + right.words.size - shared);
  if (smaller < 2 || shared / smaller < minContained || common < minCommon) return false;
  return sameCircumstances(left, right);
}
