import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runFolder } from './stack.ts';

/** An error of the REST surface as a test saw it. */
export interface SeenError {
  method: string;
  /** Below the base, without the query. */
  path: string;
  status: number;
  code: string;
}

/** Every error reply of a run, one JSON line each: short lines that jest's workers append whole. */
export const repliesFile = path.join(runFolder, 'replies.jsonl');
const basePath = '/api/v1';

const pathOf = (target: string): string => target.replace(/^[a-z]+:\/\/[^/]*/i, '').split(/[?#]/, 1)[0]!;

/** Whether a URL or request target lies below the base of the REST surface. */
export const isOfRestSurface = (target: string): boolean => pathOf(target).startsWith(`${basePath}/`);

/** Keeps an error reply of the REST surface; what is no error, or none of ours, is left out. */
export function recordReply(method: string, target: string, status: number, body: string): void {
  const pathname = pathOf(target);
  if (status < 400 || !isOfRestSurface(target)) return;
  let code: unknown;
  try {
    code = JSON.parse(body).error.code;
  } catch {
    return; // no envelope: whatever answered was not the REST surface
  }
  const seen: SeenError = { method, path: pathname.slice(basePath.length), status, code: String(code) };
  appendFileSync(repliesFile, `${JSON.stringify(seen)}\n`);
}

/** What the tests of the run have seen. Throws when there was none. */
export function readReplies(): SeenError[] {
  if (!existsSync(repliesFile)) throw new Error('There is no record of replies: run the stack tests first.');
  const lines = new Set(readFileSync(repliesFile, 'utf8').split('\n').filter(Boolean));
  return [...lines].map((line) => JSON.parse(line) as SeenError);
}
