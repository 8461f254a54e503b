// `npm test -- errors`, after the stack tests: checks that a test of that run has seen every error that the OpenAPI
// document names. One rule for all: the pair of operation and error code must be among the responses that the test
// harness recorded. The exceptions below have their reason.
import type { ErrorCode } from '../services/core/errors.ts';
import { byLiteralness, patternOf } from '../services/gateway/allowed-methods.ts';
import { errorsOf } from '../services/gateway/openapi/errors.ts';
import { openApiPath } from '../services/gateway/openapi/operation.ts';
import { routes } from '../services/gateway/routes.ts';
import { readReplies } from '../test/harness/replies.ts';

/** Not tested for each operation, because all use the same code and no request is known to cause it. */
const byClass: Partial<Record<ErrorCode, string>> = {
  internal_error: 'a defect; test/unit/gateway/failures.test.ts tests what a client sees',
};

/** Sent before an operation is found: a request with no host or two hosts, or a method that the path does not have. */
const beforeRouting: readonly ErrorCode[] = ['bad_request', 'method_not_allowed'];

interface Operation {
  name: string;
  method: string;
  pattern: RegExp;
  documented: ErrorCode[];
}

const operations: Operation[] = routes.toSorted(byLiteralness).map((route) => ({
  name: `${route.method} ${openApiPath(route.path)}`,
  method: route.method,
  pattern: patternOf(route.path),
  documented: errorsOf(route),
}));

const seen = new Map<string, Set<string>>();
for (const { method, path, code } of readReplies()) {
  // the router chose the most literal path; with another method, it was 405 and belongs to no operation
  const literal = operations.find(({ pattern }) => pattern.test(path));
  const operation = operations.find((one) => one.method === method && one.pattern.source === literal?.pattern.source);
  if (!operation) continue;
  const codes = seen.get(operation.name) ?? new Set();
  seen.set(operation.name, codes.add(code));
}

const unseen: string[] = [];
const undocumented: string[] = [];
let pairs = 0;
for (const { name, documented } of operations) {
  const codes = seen.get(name) ?? new Set();
  for (const code of documented) {
    if (byClass[code]) continue;
    pairs++;
    if (!codes.has(code)) unseen.push(`${name}  ${code}`);
  }
  const known = new Set<string>([...documented, ...beforeRouting]);
  undocumented.push(...[...codes].filter((code) => !known.has(code)).map((code) => `${name}  ${code}`));
}

const report = (title: string, lines: string[]) => {
  if (lines.length > 0) process.stdout.write(`\n${title}\n${lines.map((line) => `  ${line}\n`).join('')}`);
};
report('Documented, but not seen by any test:', unseen);
report('Seen, but not documented:', undocumented);
process.stdout.write(
  `${pairs} documented errors of ${operations.length} operations, ${unseen.length} unseen, ${undocumented.length} undocumented\n`,
);
process.exitCode = unseen.length + undocumented.length > 0 ? 1 : 0;
