import { modulo, toNumber } from './arithmetic.ts';
import { isCollection, isList } from './collections.ts';
import { isSame } from './compare.ts';
import { declare } from './declare.ts';
import { findConstant } from './functions.ts';
import { isEmpty } from './values.ts';

/** The tests of Twig's reference; `defined` is a language construct. */
export const coreTests = [
  declare('constant', 'constant|object', (_state, value, name) => {
    const constant = findConstant(name);
    if (constant === undefined) throw new TypeError('The constant is undefined.');
    return isSame(value, constant);
  }),
  declare('divisible by', 'num', (_state, value, divisor) => modulo(value, divisor) === 0),
  declare('empty', '', (_state, value) => isEmpty(value)),
  declare('even', '', (_state, value) => modulo(value, 2) === 0),
  declare('iterable', '', (_state, value) => isCollection(value)),
  declare('mapping', '', (_state, value) => isCollection(value) && !isList(value)),
  declare('none', '', (_state, value) => value === null || value === undefined),
  declare('null', '', (_state, value) => value === null || value === undefined),
  declare('odd', '', (_state, value) => Math.abs(modulo(toNumber(value), 2)) === 1),
  declare('same as', 'value', (_state, value, other) => isSame(value, other)),
  declare('sequence', '', (_state, value) => isCollection(value) && isList(value)),
];
