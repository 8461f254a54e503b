import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { files } from './eleventy-layouts.ts';
import { body } from './up.ts';

const version = '3.1.8';

/**
 * Installs Eleventy from npm into a temporary folder, and writes a site of these posts with layouts that make the same
 * pages as the starter shell. Returns why Eleventy cannot be used as a text.
 */
export function openEleventy(posts: number) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'fieldstone-eleventy-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  write('package.json', '{ "private": true, "type": "module" }');
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `@11ty/eleventy@${version}`];
  const { status, error, stderr } = spawnSync('npm', install, { cwd: folder, encoding: 'utf8', timeout: 180_000 });
  if (status !== 0) {
    remove();
    return `npm failed: ${(error?.message ?? stderr).trim().split('\n')[0]}`;
  }
  for (const [name, text] of Object.entries(files)) write(name, text);
  for (let n = 0; n < posts; n++) {
    const head = `---\ntitle: "Post ${n}"\ndate: 2026-01-01T00:00:00Z\ntags: [a]\n---\n`;
    write(`posts/post-${n}.html`, head + body);
  }
  const command = path.join(folder, 'node_modules', '@11ty', 'eleventy', 'cmd.cjs');
  return {
    /** Builds the whole site; returns the milliseconds. */
    build(): number {
      rmSync(path.join(folder, '_site'), { recursive: true, force: true });
      const startedAt = performance.now();
      execFileSync(process.execPath, [command, '--quiet'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
      return performance.now() - startedAt;
    },
    remove,
  };
}
