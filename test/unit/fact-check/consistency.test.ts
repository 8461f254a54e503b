import { expect, test } from '@jest/globals';
import { checkArticleHtml, serveSite } from './harness.ts';

async function listVerdicts(...paragraphs: string[]) {
  const report = await checkArticleHtml(paragraphs.map((text) => `<p>${text}</p>`).join(''));
  return report.claims.filter((claim) => claim.kind === 'number').map((claim) => claim.verdict);
}

test.each([
  ['The tower is 120 metres high.', 'At 150 metres high, the tower is seen from far.'],
  ['Brennholm has 1,200 inhabitants.', 'Brennholm has 1,500 inhabitants.'],
  ['The museum has 300 paintings.', 'The museum owns 450 paintings.'],
  ['The population of Brennholm is 1,200.', 'The population of Brennholm is 1,500.'],
  ['The new bridge cost $5 million.', 'The new bridge cost $7 million.'],
  ['Turnout of young voters was 40%.', 'Turnout of young voters was 60 percent.'],
])('two figures for one thing contradict each other: %s / %s', async (first, second) => {
  expect(await listVerdicts(first, second)).toEqual(['contradicted', 'contradicted']);
});

test('the title counts', async () => {
  const report = await checkArticleHtml('<p>Brennholm has 1,500 inhabitants.</p>', {
    input: { title: 'Brennholm has 1,200 inhabitants' },
  });
  expect(report.claims.map((claim) => [claim.verdict, claim.evidence[0]?.message])).toEqual([
    ['contradicted', 'Elsewhere the text says 1,500.'],
    ['contradicted', 'Elsewhere the text says 1,200.'],
  ]);
});

test.each([
  ['The tower is 120 metres high.', 'The tower is 120 m high, or 0.12 km.'],
  ['Brennholm has 1,200 inhabitants.', 'Brennholm has about 1,230 inhabitants.'],
  ['In 2020 Brennholm had 1,200 inhabitants.', 'In 2025 Brennholm had 1,500 inhabitants.'],
  ['Brennholm has 1,200 inhabitants.', 'Brennholm previously had 1,500 inhabitants.'],
  ['Brennholm has 1,200 inhabitants.', 'Seeham has 1,500 inhabitants.'],
  ['The first tower is 120 metres high.', 'The second tower is 150 metres high.'],
  ['Step 1: click the green button.', 'Step 2: click the green button.'],
  ['See chapter 12 of the book.', 'See chapter 15 of the book.'],
  ['Plan A costs $20.', 'Plan B costs $30.'],
  ['Version 2 costs $20.', 'Version 3 costs $30.'],
  ['The tower has 120 steps.', 'The tower has 12 bells.'],
  ['Sales rose 5%.', 'Sales fell 3%.'],
])('different things do not: %s / %s', async (first, second) => {
  expect(await listVerdicts(first, second)).not.toContain('contradicted');
});

test('of two figures the one that its source bears out is supported', async () => {
  const site = await serveSite({ '/': { body: '<p>Brennholm has 1,200 inhabitants.</p>' } });
  const html = `<p>Brennholm has 1,200 inhabitants (<a href="${site.url}/">1</a>).</p><p>Brennholm has 1,500 inhabitants.</p>`;
  const report = await checkArticleHtml(html, { sites: [site] });
  await site.close();
  expect(report.claims.map((claim) => claim.verdict)).toEqual(['supported', 'contradicted']);
});
