import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { lexer, type Token, type Tokens, walkTokens } from 'marked';

export const root = path.join(import.meta.dirname, '..', '..');

/** A fenced block of a page, unchanged. */
export interface Block {
  page: string;
  line: number;
  /** The first word after the fence, and what follows it: `sh` and `signing`. */
  language: string;
  label: string;
  text: string;
  /** The text of `<!-- run: … -->` right above it; undefined: it is run unchanged. */
  reason: string | undefined;
}

/** Why a block is not run unchanged, and what checks it instead. */
export const reasons: Readonly<Record<string, string>> = {
  kubernetes: 'needs a cluster: test/k8s/chart/pages.test.ts renders it and holds its flags against kubectl',
  'container-engine': 'needs a container engine: hadolint reads the Dockerfile',
  machine: 'sets up a machine as root: unit/docs/one-machine checks the unit that it starts',
  move: 'moves an installation to other engines: e2e/moving-objects does that, e2e/backups-whole restores everything',
  cockroachdb: 'needs such a server: e2e/cockroach-command runs it on PostgreSQL',
  service: 'brings the service up and stays: e2e/pages starts the one of the README',
  'sign-in': 'waits until a user approves it in a browser: test/contract/cli-login.test.ts does that',
  suite: 'is the run of all tests itself',
};

/** Examples with tests of their own, by their label or else their language. */
export const ownTests: Readonly<Record<string, string>> = {
  signing: 'test/contract/webhooks-signing-examples.test.ts',
  verifying: 'test/unit/events/verifying-examples.test.ts',
  caddyfile: 'test/e2e/domains-on-demand.test.ts',
  ini: 'test/unit/docs/one-machine.test.ts',
};

/** Returns the test that runs the block separately, if any. */
export const ownTestOf = ({ language, label }: Block): string | undefined => ownTests[label] ?? ownTests[language];

function markdownIn(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(folder, name))
    .sort();
}

/** Every page for readers; decisions describe the past and are not compared with the current state. */
export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...markdownIn('docs').filter((name) => !name.startsWith('docs/decisions/')),
  ...markdownIn('charts').filter((name) => path.basename(name) === 'README.md'),
];

const readPage = (page: string) => readFileSync(path.join(root, page), 'utf8');

/** Calls `visit` with every list of siblings of the page, from the top. */
function visitSiblings(tokens: Token[], visit: (siblings: Token[]) => void): void {
  visit(tokens);
  for (const token of tokens) {
    const { items } = token as { items?: Token[] };
    for (const inner of [(token as { tokens?: Token[] }).tokens, items]) if (inner) visitSiblings(inner, visit);
  }
}

/** Returns every code block of a page, in order; an indented one has no language. */
export function readBlocks(page: string): Block[] {
  const source = readPage(page);
  const blocks: Block[] = [];
  let from = 0;
  visitSiblings(lexer(source), (siblings) => {
    const visible = siblings.filter(({ type }) => type !== 'space');
    for (const [index, token] of visible.entries()) {
      if (token.type !== 'code') continue;
      const { text, lang = '', raw } = token as Tokens.Code;
      from = Math.max(source.indexOf(raw, from), from);
      const above = visible[index - 1];
      const reason = above?.type === 'html' ? /<!-- run: (.+?) -->\s*$/.exec(above.raw)?.[1] : undefined;
      const [language = '', ...rest] = lang.split(' ');
      const line = source.slice(0, from).split('\n').length;
      blocks.push({ page, line, language, label: rest.join(' '), text, reason });
      from += raw.length;
    }
  });
  return blocks;
}

/** Returns a page's code within sentences, its links, and its headings. */
export function readInline(page: string): { code: string[]; links: string[]; headings: string[] } {
  const found = { code: [] as string[], links: [] as string[], headings: [] as string[] };
  walkTokens(lexer(readPage(page)), (token) => {
    if (token.type === 'codespan') found.code.push(token.text);
    if (token.type === 'link' || token.type === 'image') found.links.push(token.href);
    if (token.type === 'heading') found.headings.push(token.text);
  });
  return found;
}
