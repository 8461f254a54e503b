import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { siteRoles } from '../../../services/core/roles.ts';
import { grantOf, operationKinds } from '../../../services/features/access/policy.ts';
import { root } from '../../harness/pages.ts';

test('docs/people.md has the policy as it is, in its order', () => {
  const page = readFileSync(path.join(root, 'docs/people.md'), 'utf8');
  const words = { all: 'yes', own: 'own', none: 'no' };
  const rows = [...page.matchAll(/^\| [^|]+ \(`([a-z_.]+)`\) \| (.+) \|$/gm)].map(([, kind, cells]) => [kind, cells]);
  expect(rows).toEqual(
    operationKinds.map((kind) => [kind, siteRoles.map((role) => words[grantOf(role, kind)]).join(' | ')]),
  );
});
