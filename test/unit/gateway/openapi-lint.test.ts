import { expect, test } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { createOpenApi } from '../../../services/gateway/openapi.ts';
import { routes } from '../../../services/gateway/routes.ts';

const source = JSON.stringify(createOpenApi(routes, { url: 'https://cms.example.org' }));

/** Rules of the linter that the document follows in another form. */
const adapted = {
  // the specification has `content/{id}/restore`, the contract `content/by-ref/{source_ref}`; the router takes the literal one
  'no-ambiguous-paths': 'off',
  // errors extend the schema of all failures with `allOf`, so that members are declared in both parts
  'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
} as const;

async function lint(text: string) {
  const config = await createConfig({ extends: ['recommended-strict'], rules: adapted });
  const problems = await lintFromString({ source: text, config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`);
}

// rule: beyond.44
test("the linter's strict rules find nothing in the OpenAPI document", async () => {
  expect(await lint(source)).toEqual([]);
}, 120_000);

test('the linter finds what is wrong', async () => {
  const { paths, ...document } = JSON.parse(source);
  const { get } = paths['/sites'];
  const broken = { ...document, paths: { '/sites': { get, post: get } } };
  expect(await lint(JSON.stringify(broken))).toContainEqual(expect.stringMatching(/^operation-operationId-unique/));
}, 120_000);
