import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { kubeVersion } from '../../harness/helm.ts';
import { pages, readBlocks, readInline } from '../../harness/pages.ts';
import { testWith } from '../../harness/programs.ts';
import { helm, project, refusal } from './render.ts';

/**
 * Like a reader's checkout, with a `helm` that renders instead of installing, and a `kubectl` that contacts no server.
 */
const folder = mkdtempSync(path.join(tmpdir(), 'fieldstone-cluster-pages-'));
afterAll(() => rmSync(folder, { recursive: true }));
symlinkSync(path.join(project, 'charts'), path.join(folder, 'charts'));
cpSync(path.join(project, 'k8s'), path.join(folder, 'k8s'), { recursive: true });

const isThere = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const helmScript = `
case "$1" in
  *) [ -z "\${INLINE:-}" ] || exec '${helm}' "$@" --help ;;&
  install) shift; exec '${helm}' template "$@" --kube-version ${kubeVersion} ;;
  upgrade) shift; exec '${helm}' template "\${@/--reset-then-reuse-values/--skip-tests}" --kube-version ${kubeVersion} \\
    --values '${project}/charts/fieldstone/ci/minimal-values.yaml' ;;
  *) exec '${helm}' "$@" --help ;;
esac`;
const kubectlScript = `
PATH='${process.env.PATH}'
case "$1 $2" in
  'create secret') exec kubectl "$@" --dry-run=client --output yaml ;;
  'apply -k') exec kubectl kustomize "$3" ;;
esac
for word; do
  [ "$word" != -- ] || break
  words+=("$word")
done
exec kubectl "\${words[@]}" --help`;

const bin = path.join(folder, 'bin');
mkdirSync(bin);
for (const [name, script] of [
  ['helm', helmScript],
  ['kubectl', isThere('kubectl') ? kubectlScript : 'echo "kubectl is not here: $*"'],
]) {
  writeFileSync(path.join(bin, name!), `#!/bin/bash\n${script}\n`);
  chmodSync(path.join(bin, name!), 0o755);
}

/** Returns the message of a failing script; empty if it succeeds. */
function faultOf(script: string, env: Record<string, string> = {}): string {
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...process.env, ...env, PATH: `${bin}:${process.env.PATH}` },
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  return status === 0 ? '' : `${stdout.slice(-1000)}\n${stderr.slice(-1000)}\nended with ${status}`;
}

const blocks = pages.flatMap(readBlocks);

describe('what a page does to a cluster is rendered, and its flags are known', () => {
  const cluster = blocks.filter(({ reason }) => reason === 'kubernetes');
  for (const { page, line, text } of cluster) {
    const needsOpenssl = /openssl|make-secrets/.test(text);
    const check = testWith('openssl', !needsOpenssl || isThere('openssl'));
    check(`${page}:${line}`, () => expect(faultOf(text)).toBe(''));
  }

  const named = pages.flatMap((page) =>
    readInline(page)
      .code.filter((code) => /^(?:helm|kubectl) [a-z]+ ./.test(code))
      .map((code) => ({ page, code })),
  );
  test.each(named)('$page: $code', ({ code }) => {
    // placeholders are replaced by any word
    expect(faultOf(code.replaceAll(/[…{}<>]/g, 'X'), { INLINE: 'true' })).toBe('');
  });
});

describe('values that a page gives are taken by the chart', () => {
  const values = blocks.filter(({ language }) => language === 'yaml');
  test.each(values)('$page:$line', ({ text }) => {
    expect(refusal(parse(text))).toBe('');
  });
});
