import { expect, test } from '@jest/globals';
import { createProgressDisplay } from '../../../services/cli/progress.ts';

function show(json: boolean, isTTY: boolean): string {
  let written = '';
  const write = (text: string | Uint8Array) => {
    written += text;
    return true;
  };
  const display = createProgressDisplay(json, { isTTY, write });
  display.show({ status: 'running', stage: 'snapshot', done: 0, total: 0 });
  display.show({ status: 'running', stage: 'render', done: 6, total: 12 });
  display.show({ status: 'running', stage: 'render', done: 6, total: 12 });
  display.end();
  return written;
}

test('progress is a line for each change where it is not a terminal', () => {
  expect(show(false, false)).toBe('running: snapshot\nrunning: render 6/12\n');
});

test('on a terminal it is one line with a bar, which is cleared at the end', () => {
  const bar = '████████████░░░░░░░░░░░░';
  const [clear, lines] = ['\r\x1b[2K', ['running: snapshot', `running: render 6/12  ${bar}`, '']];
  expect(show(false, true)).toBe(lines.map((line) => clear + line).join(''));
});

test('with --json nothing is shown', () => {
  expect(show(true, true)).toBe('');
});
