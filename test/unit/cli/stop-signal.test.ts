import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';

const child = path.join(import.meta.dirname, 'stop-signal-child.ts');

/** Starts a terminal that runs a keeper (such as npm) that starts the program, in the ways that shells do it. */
function startTerminal(keeper: string) {
  const env = { PATH: process.env['PATH'], NODE: process.execPath, CHILD: child, KEEPER: keeper };
  const terminal = spawn('sh', ['-c', 'sh -c "$KEEPER" & echo "keeper $!"; read _'], {
    env,
    stdio: ['pipe', 'pipe', 2],
  });
  const lines = createInterface({ input: terminal.stdout! })[Symbol.asyncIterator]();
  /** Returns the next line with this beginning; fails if the process ends before. */
  async function next(word: string): Promise<string> {
    for (;;) {
      const { value, done } = await lines.next();
      if (done || value.startsWith(word)) return value ?? 'the end';
      expect(value).not.toMatch(/^(stopped|failed)/);
    }
  }
  return { terminal, next };
}

const close = (terminal: ChildProcess) =>
  new Promise((resolve) => {
    terminal.once('exit', resolve);
    terminal.stdin!.end();
  });

test.each([
  ['npm itself started it', 'npm_command=run-script "$NODE" "$CHILD" & wait'],
  ['a shell of npm did', 'npm_command=run-script sh -c \'"$NODE" "$CHILD" & wait\' & wait'],
])(
  'where %s: it stays when the terminal is gone, and stops when npm is',
  async (_what, keeper) => {
    const { terminal, next } = startTerminal(keeper);
    const npm = Number((await next('keeper')).split(' ')[1]);
    await next('watching');
    await close(terminal);
    for (let round = 0; round < 3; round++) expect(await next('still')).toBe('still');
    process.kill(npm, 'SIGKILL');
    expect(await next('stopped')).toBe('stopped');
  },
  60_000,
);

test('SIGHUP stops it, as a terminal that is closed sends it', async () => {
  const { terminal, next } = startTerminal('npm_command=run-script "$NODE" "$CHILD" & wait');
  const pid = Number((await next('watching')).split(' ')[1]);
  process.kill(pid, 'SIGHUP');
  expect(await next('stopped')).toBe('stopped');
  await close(terminal);
}, 60_000);
