import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runFolder } from './stack.ts';

/** An error of the REST surface that a test received. */
export interface SeenError {
  method: string;
  /** Below the base, without the query. */
  path: string;
  status: number;
  code: string;
}

/** Every error response of a run, one JSON line each: short lines, which jest's workers append atomically. */
export const repliesFile = path.join(runFolder, 'replies.jsonl');
const basePath = '/api/v1';

const pathOf = (target: string): string => target.replace(/^[a-z]+:\/\/[^/]*/i, '').split(/[?#]/, 1)[0]!;

/** Returns whether a URL or request target is below the base of the REST surface. */
export const isOfRestSurface = (target: string): boolean => pathOf(target).startsWith(`${basePath}/`);

/** Records an error response of the REST surface; ignores others. */
export function recordReply(method: string, target: string, status: number, body: string): void {
  const pathname = pathOf(target);
  if (status < 400 || !isOfRestSurface(target)) return;
  let code: unknown;
  try {
    code = JSON.parse(body).error.code;
  } catch {
    return; // no envelope: not a response of the REST surface
  }
  const seen: SeenError = { method, path: pathname.slice(basePath.length), status, code: String(code) };
  appendFileSync(repliesFile, `${JSON.stringify(seen)}\n`);
}

/** Returns the errors that the tests of the run have seen. Throws if there are none. */
export function readReplies(): SeenError[] {
  if (!existsSync(repliesFile)) throw new Error('There is no record of replies: run the stack tests first.');
  const lines = new Set(readFileSync(repliesFile, 'utf8').split('\n').filter(Boolean));
  return [...lines].map((line) => JSON.parse(line) as SeenError);
}
