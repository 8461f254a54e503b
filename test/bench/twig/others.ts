import { createRequire } from 'node:module';
import {
  createMarkup,
  createSynchronousArrayLoader,
  createSynchronousEnvironment,
  createSynchronousFunction,
  type TwingSynchronousArrayLoader,
} from 'twing';
import { bodyHtml, pageData, shellFunctions } from './page.ts';

// The package has no types.
const twig = createRequire(import.meta.url)('twig');
const take = ['first', 'second'].map((name) => ({ name, defaultValue: null }));

/** Renders the page with interpreted `twing`, escaping on. */
export function openTwing(templates: Map<string, string>): () => string {
  const loader: TwingSynchronousArrayLoader = createSynchronousArrayLoader(Object.fromEntries(templates));
  const environment = createSynchronousEnvironment(loader, { autoEscapingStrategy: 'html' });
  for (const [name, run] of Object.entries(shellFunctions)) {
    const callable = (_context: unknown, ...args: unknown[]) => run(...args);
    environment.addFunction(createSynchronousFunction(name, callable, take));
  }
  const template = environment.loadTemplate('post.twig');
  return () => {
    const context = { ...pageData, page: { ...pageData.page, body: createMarkup(bodyHtml) } };
    return template.render(environment, context);
  };
}

/** Renders the page with the npm package `twig` 3, escaping on; its templates are parsed once. */
export function openTwigJs(templates: Map<string, string>): () => string {
  const engine = twig as {
    cache(on: boolean): void;
    extendFunction(name: string, run: (...args: unknown[]) => unknown): void;
    extend(change: (inner: { Markup(html: string): unknown }) => void): void;
    twig(options: Record<string, unknown>): { render(context: unknown): string };
  };
  let markup: (html: string) => unknown = (html) => html;
  engine.extend((inner) => {
    markup = (html) => inner.Markup(html);
  });
  for (const [name, run] of Object.entries(shellFunctions)) engine.extendFunction(name, run);
  const options = { allowInlineIncludes: true, autoescape: true, namespaces: {} };
  for (const [id, data] of templates) engine.twig({ ...options, id, data });
  const template = engine.twig({ ...options, id: 'entry', data: '{% include "post.twig" %}' });
  return () => template.render({ ...pageData, page: { ...pageData.page, body: markup(bodyHtml) } });
}
