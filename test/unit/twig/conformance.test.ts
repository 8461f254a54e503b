import { describe, expect, test } from '@jest/globals';
import { TwigError } from '../../../services/twig/index.ts';
import { type ConformanceCase, readTables, renderCase } from './conformance/cases.ts';

/** PHP reports the line of the opening tag here; the library's lexer the end of the text. */
const otherLine = new Set(['unclosed verbatim']);

function checkError({ error, ...rest }: ConformanceCase): void {
  let thrown: unknown;
  try {
    renderCase(rest);
  } catch (caught) {
    thrown = caught;
  }
  expect(thrown).toBeInstanceOf(TwigError);
  const { line, column, template } = thrown as TwigError;
  expect(column).toBeGreaterThan(0);
  if (error!.line > 0 && !otherLine.has(rest.name))
    expect({ line, template }).toEqual({ line: error!.line, template: error!.template });
}

describe.each(readTables())('%s', (_file, cases) => {
  test.each(cases.map((entry): [string, ConformanceCase] => [entry.name, entry]))('%s', (_name, entry) => {
    if (entry.error) checkError(entry);
    else expect(renderCase(entry)).toBe(entry.expected);
  });
});
