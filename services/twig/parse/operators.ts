/** The precedence and associativity of an operator (reference: Templates, Operators). */
export interface OperatorRule {
  precedence: number;
  rightAssociative?: boolean;
}

/** Unary operators by name. */
export const unaryOperators = new Map<string, OperatorRule>([
  ['not', { precedence: 50 }],
  ['-', { precedence: 500 }],
  ['+', { precedence: 500 }],
]);

const level = (precedence: number, ...names: string[]): [string, OperatorRule][] =>
  names.map((name) => [name, { precedence }]);

/** Binary operators by name; `is` and `is not` start a test. */
export const binaryOperators = new Map<string, OperatorRule>([
  ...level(10, 'or'),
  ...level(12, 'xor'),
  ...level(15, 'and'),
  ...level(16, 'b-or'),
  ...level(17, 'b-xor'),
  ...level(18, 'b-and'),
  ...level(20, '==', '!=', '===', '!==', '<=>', '<', '>', '>=', '<=', 'not in', 'in', 'matches'),
  ...level(20, 'starts with', 'ends with', 'has some', 'has every'),
  ...level(25, '..'),
  ...level(30, '+', '-'),
  ...level(40, '~'),
  ...level(60, '*', '/', '//', '%'),
  ...level(100, 'is', 'is not'),
  ['**', { precedence: 200, rightAssociative: true }],
  ['??', { precedence: 300, rightAssociative: true }],
]);
