import { isDeepStrictEqual } from 'node:util';
import { type Any, observe, type Reply } from './world.ts';

export interface Deviation {
  area: string;
  rule: string;
  detail: string;
}

const short = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 600);

/** Counts what held and keeps what did not; a check that fails never ends its area. */
export class Report {
  readonly deviations: Deviation[] = [];
  held = 0;
  area = '';

  ok(rule: string, holds: unknown, detail: unknown = ''): boolean {
    if (holds) this.held++;
    else this.deviations.push({ area: this.area, rule, detail: typeof detail === 'string' ? detail : short(detail) });
    return Boolean(holds);
  }

  is(rule: string, got: unknown, expected: unknown): boolean {
    return this.ok(rule, isDeepStrictEqual(got, expected), `expected ${short(expected)}, got ${short(got)}`);
  }

  /** The status of a reply, and its error code when given. */
  replies(rule: string, reply: Reply, status: number | number[], code?: string): boolean {
    const right = Array.isArray(status) ? status.includes(reply.status) : reply.status === status;
    const named = code === undefined || reply.error?.code === code;
    return this.ok(
      rule,
      right && named,
      `${reply.what}: expected ${status}${code ? ` ${code}` : ''}, got ${reply.status} ${reply.text.slice(0, 400)}`,
    );
  }

  /** One named part of an area: what it throws is a deviation, and the next part goes on. */
  async part(name: string, run: () => Promise<void>): Promise<void> {
    const only = process.env.OUTSIDE_PART;
    if (only && !name.includes(only)) return;
    try {
      await run();
    } catch (error) {
      this.ok(`${name} could be checked`, false, String((error as Error).stack ?? error).slice(0, 700));
    }
  }
}

const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

function wrongTimestamps(value: Any, at: string, found: string[]): void {
  if (Array.isArray(value)) for (const one of value.slice(0, 3)) wrongTimestamps(one, at, found);
  else if (value && typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) {
      if (/_at$/.test(name) && member !== null && !timestamp.test(String(member))) found.push(`${at}${name}=${member}`);
      else if (name !== 'settings' && name !== 'variables_schema') wrongTimestamps(member, `${at}${name}.`, found);
    }
  }
}

/** What holds for every reply of the API, whatever was asked: contract, Conventions. */
export function watchEveryReply(report: Report): void {
  observe((reply) => {
    const fail = (rule: string) =>
      report.ok(rule, false, `${reply.what}: ${reply.status} ${reply.text.slice(0, 300)} ${short(reply.headers)}`);
    if (!reply.headers['x-request-id']) fail('every response carries X-Request-Id');
    if (reply.status >= 500) fail('no request makes the service fail');
    if (reply.what.startsWith('HEAD ') || reply.status === 204 || reply.status === 304) return;
    if (reply.what.includes('/authoring-guide')) return;
    const isFile = reply.what.includes('/shell/file/') && reply.status === 200 && reply.what.startsWith('GET');
    if (isFile) return;
    if (!/^application\/json/.test(String(reply.headers['content-type']))) fail('every response is JSON');
    const { json } = reply;
    if (reply.status < 400) {
      if (json?.success !== true || typeof json.data !== 'object' || json.data === null) fail('success envelope');
      if (Array.isArray(json?.data)) {
        const p = json.pagination;
        const whole = p && ['total', 'page', 'per_page', 'total_pages'].every((name) => Number.isInteger(p[name]));
        if (!whole) fail('a list has pagination of four integers');
      }
      const wrong: string[] = [];
      wrongTimestamps(json?.data, '', wrong);
      if (wrong.length > 0) fail(`timestamps are YYYY-MM-DDTHH:MM:SSZ: ${wrong}`);
    } else {
      if (json?.success !== false || typeof json?.error?.message !== 'string' || json.error.message === '')
        fail('failure envelope');
      if (!/^[a-z][a-z0-9_]*$/.test(String(json?.error?.code))) fail('error.code is a snake_case word');
      if (reply.status === 422) {
        const { details } = json?.error ?? {};
        const shaped =
          Array.isArray(details) &&
          details.every((one: Any) => typeof one?.path === 'string' && typeof one?.message === 'string');
        if (!shaped) fail('422 has details of {path, message}');
      }
      if (reply.status === 429 && !/^\d+$/.test(String(reply.headers['retry-after']))) fail('429 has Retry-After');
    }
  });
}
