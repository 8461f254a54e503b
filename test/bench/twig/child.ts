import { serveSandbox } from '../../../services/engines/sandbox/serve.ts';
import { createTwigEnvironment, markSafe, type TwigEnvironment } from '../../../services/twig/index.ts';
import { shellFunctions } from './page.ts';

let environment: TwigEnvironment | null = null;

interface Page {
  data: { page: Record<string, unknown> };
  body: string;
}

serveSandbox({
  open(templates: Map<string, string>) {
    environment = createTwigEnvironment({
      getSource: (name) => {
        const source = templates.get(name);
        return source === undefined ? null : { source, hash: `${name}:${source.length}` };
      },
      functions: Object.fromEntries(
        Object.entries(shellFunctions).map(([name, run]) => [name, (args: unknown[]) => run(...args)]),
      ),
    });
  },
  render: (pages: Page[]) =>
    pages.map(({ data, body }) =>
      environment!.render('post.twig', { ...data, page: { ...data.page, body: markSafe(body) } }),
    ),
});
