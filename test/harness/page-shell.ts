import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Block } from './pages.ts';
import { root } from './pages.ts';

/**
 * A folder that looks like the checkout, in which what commands leave behind lies apart from it, the service's `.fieldstone` too.
 * `bin` in it has `fieldstone`, and a `curl` for which every reply of 400 and above is a failure, `-f` given or not.
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
    // curl takes only one of its two ways to fail
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

/** Puts the files that the step needs into the folder, and answers the shell's words for it; undefined: nothing to run. */
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
    // a file of a shell: it has to be taken without a warning
    case 'twig':
    case 'json': {
      const file = `example-${line}`;
      write(file);
      const request = `curl -X PUT "$API/sites/$SITE/shell/file/${label}" -H "X-API-Key: $KEY" --data-binary @${file}`;
      return `${request} | tee reply-${line}\ngrep -qF '"warnings":[]' reply-${line}`;
    }
    // values of the chart, which its own tests take; and pictures of messages and of structure
    case 'yaml':
    case 'http':
    case 'text':
    case 'mermaid':
      return undefined;
    default:
      throw new Error(`Nobody knows how to run a block of "${language}".`);
  }
}

/**
 * Runs the blocks of a page in one shell, which ends at the first command that fails and at a variable that nobody set. Answers
 * what they printed; throws with it, and with the line of the last block that began.
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
    env: { ...process.env, NODE_OPTIONS: '', ...env, PATH: `${path.join(folder, 'bin')}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => shell.on('close', resolve));
  const printed = await text(shell.stdout);
  const code = await ended;
  if (code !== 0) throw new Error(`The page's commands ended with ${code}:\n${printed.slice(-4000)}`);
  return printed;
}
