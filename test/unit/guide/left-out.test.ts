import { expect, test } from '@jest/globals';
import { loadConfig } from '../../../services/core/config.ts';
import { describeService } from '../../../services/features/guide/guide.ts';
import { createTwigEnvironment } from '../../../services/twig/index.ts';

const { filters, unsupported } = describeService(loadConfig({})).shell.twig;
/** Single words in backquotes on the lines about filters: names of filters that do not exist. */
const leftOut = unsupported
  .filter(({ feature }) => feature.startsWith('filters '))
  .flatMap(({ feature }) => [...feature.split(', and')[0]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!));

test('the guide says which filters of the Twig reference are left out', () => {
  expect(leftOut).toEqual(
    expect.arrayContaining(['u', 'plural', 'singular', 'markdown_to_html', 'html_to_markdown', 'inline_css']),
  );
  for (const { reason } of unsupported) expect(reason).not.toBe('');
});

test.each(leftOut)('%s is not there, and a template that asks for it is told so with its place', (name) => {
  expect(filters).not.toContain(name);
  const source = `\n{{ x|${name} }}`;
  const environment = createTwigEnvironment({ getSource: () => ({ source, hash: name }) });
  expect(() => environment.render('main', {})).toThrow(
    expect.objectContaining({
      template: 'main',
      line: 2,
      column: expect.any(Number),
      message: expect.stringContaining(`"${name}"`),
    }),
  );
});
