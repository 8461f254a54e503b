import { describe, expect, test } from '@jest/globals';
import { checkArticleHtml } from './harness.ts';

async function findWrong(html: string, publishedAt: Date | null = null) {
  const report = await checkArticleHtml(html, { input: { publishedAt } });
  const wrong = report.claims.filter((claim) => claim.verdict === 'contradicted');
  return wrong.map((claim) => ({
    kind: claim.kind,
    messages: claim.evidence.filter(({ type }) => type === 'arithmetic').map(({ message }) => message),
  }));
}

const wrongDates: [string, string][] = [
  ['Founded in 1990, it celebrated 25 years later in 2020.', 'From 1990 to 2020 is 30 years, not 25.'],
  ['Founded in 1990, it closed in 2020, 25 years later.', 'From 1990 to 2020 is 30 years, not 25.'],
  [
    'The firm was founded in 1990. Twenty-five years later, in 2020, it closed.',
    'From 1990 to 2020 is 30 years, not 25.',
  ],
  ['From 1990 to 2000, 15 years, she lived here.', 'From 1990 to 2000 is 10 years, not 15.'],
  ['She lived here from 1990 to 2000, for 15 years.', 'From 1990 to 2000 is 10 years, not 15.'],
  ['The war (1990–2000) lasted 15 years.', 'From 1990 to 2000 is 10 years, not 15.'],
  ['It was built between 1990 and 2000, over fifteen years.', 'From 1990 to 2000 is 10 years, not 15.'],
  ['He was born in 1950 and died in 2000 aged 60.', 'A person born in 1950 was 49 or 50 in 2000, not 60.'],
  ['Born in 1950, she turned 40 in 2000.', 'A person born in 1950 was 49 or 50 in 2000, not 40.'],
  ['He was born on 1 May 1950 and was 70 years old in 2000.', 'A person born in 1950 was 49 or 50 in 2000, not 70.'],
  ['Founded in 1990, it celebrated its 25th anniversary in 2020.', 'From 1990 to 2020 is 30 years, not 25.'],
  ['It began in 1990, 20 years ago.', 'From 1990 to 2026, when this was published, is 36 years, not 20.'],
  ['It opened in 1990, ten years after the war ended in 1985.', 'From 1985 to 1990 is 5 years, not 10.'],
  ['It closed in 2020, and 25 years earlier, in 1985, it opened.', 'From 1985 to 2020 is 35 years, not 25.'],
  ['It has stood here since 1990, for 20 years.', 'From 1990 to 2026, when this was published, is 36 years, not 20.'],
  ['It ran from 2010 to 2005.', 'The span ends in 2005, before it begins in 2010.'],
  ['It rained on Monday, 6 January 2026.', '2026-01-06 was a Tuesday.'],
  ['It rained on Friday, January 6, 2026.', '2026-01-06 was a Tuesday.'],
  ['It was signed on 30 February 2024.', 'The calendar has no 30 February 2024.'],
  ['It was signed on 29 February 2023.', 'The calendar has no 29 February 2023.'],
  ['It was signed on 2024-13-01.', 'The calendar has no 2024-13-01.'],
];

const rightDates = [
  'Founded in 1990, it moved five years later and closed in 2020.',
  'He was born in 1950, joined aged 20 and died in 2000.',
  'Founded in 1990, it celebrated its 5th anniversary and closed in 2020.',
  'It opened in 1990, five years after the war ended in 1985.',
  'It has stood here since 1990, for 36 years.',
  'Founded in 1990, it celebrated 30 years later in 2020.',
  'Founded in December 1990, it celebrated 29 years later in January 2020.',
  'From 1990 to 2000, ten years, she lived here.',
  'From 1990 to 2000 she lived here, and for 15 years nobody did.',
  'The war (1990–2000) left 15 years of hunger.',
  'He was born in 1950 and died in 2000 aged 49.',
  'He was born in 1950 and died in 2000 aged 50.',
  'Founded in 1990, it celebrated its 30th anniversary in 2020.',
  'Caesar lived from 100 BC to 44 BC, Augustus from 1063 to 1014 BC.',
  'It rained on Tuesday, 6 January 2026.',
  'It was signed on 29 February 2024.',
  'In 1990 a 25-year-old man won, and in 2020 he came back.',
  'The 10-year plan of 1990 was renewed in 2020.',
];

describe('date arithmetic that does not add up is contradicted', () => {
  test.each(wrongDates)('%s', async (sentence, message) => {
    expect(await findWrong(`<p>${sentence}</p>`)).toEqual([{ kind: 'date', messages: [message] }]);
  });

  test.each(rightDates)('and this does: %s', async (sentence) => {
    expect(await findWrong(`<p>${sentence}</p>`)).toEqual([]);
  });

  test('"years ago" counts from the day of publication', async () => {
    const html = '<p>It began in 1990, 20 years ago.</p>';
    expect(await findWrong(html, new Date('2010-06-01T00:00:00Z'))).toEqual([]);
  });

  test('in the language of the item', async () => {
    const report = await checkArticleHtml(
      '<p>Am Montag, den 6. Januar 2026, war es kalt. Von 1990 bis 2000, über 15 Jahre, lebte er hier.</p>',
      { input: { locale: 'de' } },
    );
    expect(report.claims.filter((claim) => claim.verdict === 'contradicted').length).toBe(2);
  });
});

const wrongSums: [string, string][] = [
  ['The budget is split: 40% roads, 35% schools and 30% parks.', 'The shares add up to 105 %, not 100 %.'],
  ['Votes were distributed 60% to Smith, 30% to Jones and 20% to Lee.', 'The shares add up to 110 %, not 100 %.'],
  [
    'Half of it, 50%, went to roads, 20% to schools and the remaining 20% to parks.',
    'The shares add up to 90 %, not 100 %.',
  ],
  ['About 120% of respondents agreed.', '120% is more than all of them.'],
  ['30 of 40 respondents (80%) agreed.', '30 of 40 is 75 %, not 80%.'],
  ['45 out of 40 people agreed.', '45 is more than 40.'],
  ['There were 12 men and 15 women, 30 people in total.', 'The parts add up to 27, not 30.'],
  ['A total of 30 people came: 12 men and 15 women.', 'The parts add up to 27, not 30.'],
  ['Sales rose from 100 to 150, an increase of 30%.', 'From 100 to 150 is 50 %, not 30%.'],
  ['Prices fell by 50% from $150 to $100.', 'From $150 to $100 is -33.33 %, not 50%.'],
  ['It has 500 employees, 200 in Berlin and 400 in Paris.', 'The parts add up to 600, more than 500.'],
  ['Market shares: Alpha 60%, Beta 50%.', 'The shares add up to 110 %, not 100 %.'],
  ['It cost $5 million and $3 million, $9 million in all.', 'The parts add up to 8000000, not 9000000.'],
];

const rightSums = [
  'Sales rose from 100 to 150, an increase of 50%.',
  'Sales fell by 33% from 150 to 100.',
  'It moved from 12 to 15 rooms, at 3% interest.',
  'The budget is split: 40% roads, 35% schools and 25% parks.',
  'The budget is split: 33.3% roads, 33.3% schools and 33.3% parks.',
  'Prices rose 60%, wages 50%, and votes fell 20%.',
  'Sales reached 120% of last year’s.',
  'They reached 120% of the target.',
  '30 of 40 respondents (75%) agreed.',
  '2 of 3 respondents (67%) agreed.',
  'There were 12 men and 15 women, 27 people in total.',
  'A total of 30 people came, including 12 men and 5 women.',
  'A total of 30 people came in 12 cars.',
  'It has 500 employees, 200 in Berlin and 300 in Paris.',
  'It has 500 employees, 200 in Berlin and 100 in Paris.',
  'It sold 500 cars, 600 bikes and 700 boats.',
  'Of the 40 houses, 45 doors were counted.',
];

describe('sums that do not add up are contradicted', () => {
  test.each(wrongSums)('%s', async (sentence, message) => {
    expect(await findWrong(`<p>${sentence}</p>`)).toEqual([{ kind: 'number', messages: [message] }]);
  });

  test.each(rightSums)('and these do: %s', async (sentence) => {
    expect(await findWrong(`<p>${sentence}</p>`)).toEqual([]);
  });
});
