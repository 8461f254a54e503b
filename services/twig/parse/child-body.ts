import type { Statement } from './ast.ts';
import type { TokenStream } from './token-stream.ts';

/**
 * Checks the content of a template that extends another: outside blocks it may have assignments and the like, but no
 * output. Returns the body without block references and blank text (reference: `extends`, "child template").
 */
export function checkChildBody(body: Statement[], stream: TokenStream): Statement[] {
  return body.filter((statement) => keepStatement(statement, stream, false));
}

function keepStatement(statement: Statement, stream: TokenStream, nested: boolean): boolean {
  if (statement.type === 'text') {
    if (statement.text.replace(/^\ufeff/, '').trim() === '') return false;
    const hint = 'Did you forget to put the content inside a {% block %} tag?';
    stream.fail(`A template that extends another one cannot include content outside Twig blocks. ${hint}`, statement);
  }
  if (statement.type === 'print') return false;
  if (statement.type === 'block') {
    if (nested) stream.fail('A block definition cannot be nested under non-capturing nodes.', statement);
    return false;
  }
  if (statement.type === 'capture') return true;
  for (const body of innerBodies(statement)) {
    const kept = body.filter((inner) => keepStatement(inner, stream, true));
    body.splice(0, body.length, ...kept);
  }
  return true;
}

function innerBodies(statement: Statement): Statement[][] {
  switch (statement.type) {
    case 'if':
      return [
        ...statement.branches.map((branch) => branch.body),
        ...(statement.otherwise ? [statement.otherwise] : []),
      ];
    case 'for':
      return [statement.body, ...(statement.otherwise ? [statement.otherwise] : [])];
    case 'with':
    case 'apply':
    case 'autoescape':
    case 'group':
      return [statement.body];
    default:
      return [];
  }
}
