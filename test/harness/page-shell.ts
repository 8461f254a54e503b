import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Block } from './pages.ts';
import { root } from './pages.ts';

/**
 * Creates a folder that looks like the checkout but keeps separately what commands write, including the service's
 * `.fieldstone`. Its `bin` has `fieldstone`, and a `curl` that fails for every response of 400 and above, with or
 * without `-f`.
 */
export function makeCheckout(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'fieldstone-pages-'));
  const shown = readdirSync(root).filter((name) => name === '.npmrc' || !name.startsWith('.'));
  for (const name of shown) symlinkSync(path.join(root, name), path.join(folder, name));
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  const curl = execFileSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).trim();
  const programs = {
    fieldstone: `exec '${process.execPath}' '${root}/services/cli/fieldstone.js' "$@"`,
    // curl accepts only one of its two options to fail
    curl: `fail=--fail-with-body
for word; do case "$word" in --fail*) fail= ;; --*) ;; -*f*) fail= ;; esac; done
exec '${curl}' --no-progress-meter $fail "$@"`,
  };
  for (const [name, line] of Object.entries(programs)) {
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${line}\n`);
    chmodSync(path.join(bin, name), 0o755);
  }
  return folder;
}

/**
 * Writes the files that a block needs into the folder, and returns its shell commands; undefined if there is nothing to
 * run.
 */
function stepFor({ language, label, text: code, line }: Block, folder: string): string | undefined {
  const write = (name: string) => writeFileSync(path.join(folder, name), code);
  switch (language) {
    case 'sh':
      return code;
    case 'ts': {
      const file = `example-${line}.ts`;
      write(file);
      const options = '--ignoreConfig --noEmit --strict --target esnext --module nodenext --types node';
      return `npx tsc ${options} ${file}\nnpx node ${file}`;
    }
    // a file of a shell: must be accepted without a warning
    case 'twig':
    case 'json': {
      const file = `example-${line}`;
      write(file);
      const request = `curl -X PUT "$API/sites/$SITE/shell/file/${label}" -H "X-API-Key: $KEY" --data-binary @${file}`;
      return `${request} | tee reply-${line}\ngrep -qF '"warnings":[]' reply-${line}`;
    }
    // values of the chart, which have tests of their own; and diagrams
    case 'yaml':
    case 'http':
    case 'text':
    case 'mermaid':
      return undefined;
    default:
      throw new Error(`There is no way to run a block of "${language}".`);
  }
}

/**
 * Runs the blocks of a page in one shell, which exits at the first failing command or unset variable. Returns their
 * output; throws with it, and with the line of the last block that started.
 */
export async function runBlocks(
  blocks: readonly Block[],
  folder: string,
  env: Record<string, string>,
): Promise<string> {
  const steps = blocks.flatMap((block) => {
    const step = stepFor(block, folder);
    return step === undefined ? [] : [`echo '== ${block.page}:${block.line}'\n${step}`];
  });
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', `exec 2>&1\n${steps.join('\n')}`], {
    cwd: folder,
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      XDG_CONFIG_HOME: path.join(folder, 'config'),
      ...env,
      PATH: `${path.join(folder, 'bin')}:${process.env.PATH}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => shell.on('close', resolve));
  const printed = await text(shell.stdout);
  const code = await ended;
  if (code !== 0) throw new Error(`The page's commands ended with ${code}:\n${printed.slice(-4000)}`);
  return printed;
}
