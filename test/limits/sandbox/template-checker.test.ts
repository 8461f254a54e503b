import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTemplateChecker } from '../../../services/engines/sandbox/template-checker.ts';

let checker: ReturnType<typeof createTemplateChecker>;
beforeAll(() => {
  // a busy machine may need longer than the service allows; these texts are rejected by other limits
  checker = createTemplateChecker({ timeoutMs: 50_000 });
});
afterAll(() => checker.stop());

test('a template that uses the shell’s functions is fine', async () => {
  const source =
    '{% extends "base.twig" %}{% block a %}{{ asset("x") }}{{ t("y") }}{% for p in posts({limit: 3}) %}{{ url(p) }}{% endfor %}{% endblock %}';
  expect(await checker.check('k', 'home.twig', source)).toBeNull();
}, 60_000);

test.each([
  ['an unclosed tag', 'one\n{% if a %}\nthree', 3],
  ['an unknown filter', 'one\ntwo\n{{ a|nope }}', 3],
  ['an unknown function', '{{ nope() }}', 1],
  ['a wrong expression', '\n{{ a b }}', 2],
  ['an unclosed comment', 'a\n{# b', 2],
])(
  '%s is a fault with its line',
  async (_name, source, line) => {
    const fault = await checker.check('k', 'page.twig', source);
    expect(fault).toMatchObject({ line });
    expect(fault?.message).not.toMatch(/\/|node_modules/);
  },
  60_000,
);

test.each([
  ['a text that nests too deeply', `{{ ${'('.repeat(200_000)}`],
  ['a text of tags only', '{% if a %}'.repeat(100_000)],
])(
  '%s is a fault and the next check works',
  async (_name, source) => {
    expect(await checker.check('k', 'page.twig', source)).not.toBeNull();
    expect(await checker.check('k', 'page.twig', 'fine')).toBeNull();
  },
  120_000,
);

// rule: threat.27
test("another key's template waits for the one that is checked, not for all that one key has waiting", async () => {
  const ended: string[] = [];
  const check = (key: string) => checker.check(key, 'page.twig', `{{ a }}`.repeat(3_000)).then(() => ended.push(key));
  await Promise.all([...Array.from({ length: 8 }, () => check('many')), check('few')]);
  expect(ended.indexOf('few')).toBeLessThanOrEqual(2);
}, 120_000);

test('a short template does not wait for long ones', async () => {
  const ended: string[] = [];
  const long = '{{ a }}'.repeat(60_000);
  const check = (key: string, source: string) => checker.check(key, 'page.twig', source).then(() => ended.push(key));
  await check('warm-up', 'x'); // starts the process for short texts
  await Promise.all([check('long', long), check('long', long), check('long', long), check('short', '{{ a }}')]);
  expect(ended.slice(1).indexOf('short')).toBeLessThanOrEqual(1);
}, 120_000);
