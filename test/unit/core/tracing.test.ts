import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { ConfigError, loadConfig } from '../../../services/core/config.ts';
import { currentOrigin, inSpan, isTraced, startSpan, traceIdOf } from '../../../services/core/tracing.ts';
import { currentIds, withIds } from '../../../services/core/work-context.ts';

const root = path.join(import.meta.dirname, '../../..');
const tracing = (env: Record<string, string>) => loadConfig(env).tracing;
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };

/** Runs a program in the checkout and returns its output. */
function run(program: string): string {
  const env = { PATH: process.env['PATH'] ?? '' };
  return execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '--eval', program], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
}

describe('the settings of tracing', () => {
  test('off unless a collector is named', () => {
    expect(tracing({})).toBeUndefined();
    expect(tracing({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
    expect(tracing({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined();
  });

  test('the collector’s address with the path of traces, or the whole address', () => {
    expect(tracing(endpoint)?.url).toBe('http://collector:4318/v1/traces');
    expect(tracing({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c/x' })?.url).toBe('http://c/x');
  });

  test('headers, decoded', () => {
    const env = { ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a,x-team=web' };
    expect(tracing(env)?.headers).toEqual({ authorization: 'Bearer a', 'x-team': 'web' });
  });

  test.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }],
    [{ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'nonsense' }],
    [{ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'a=%' }],
    [{ ...endpoint, OTEL_TRACES_SAMPLER: 'sometimes' }],
    [{ ...endpoint, OTEL_TRACES_SAMPLER_ARG: '2' }],
  ])('%j is refused with a sentence', (env) => {
    expect(() => tracing(env as never)).toThrow(ConfigError);
  });
});

describe('while tracing is off', () => {
  test('work runs as it is, and its errors pass', async () => {
    await expect(inSpan('x', {}, async (span) => [span, isTraced()])).resolves.toEqual([undefined, false]);
    await expect(inSpan('x', {}, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
    expect(startSpan('x')).toBeUndefined();
  });

  test('what is queued or woken still says for which request', () => {
    expect(currentOrigin()).toBeNull();
    expect(withIds({ request_id: 'r' }, currentOrigin)).toEqual({ request_id: 'r' });
  });

  test('no role loads anything of OpenTelemetry’s SDK', () => {
    const roles = ['gateway', 'worker', 'edge'].map(
      (role) => pathToFileURL(path.join(root, `services/${role}/main.ts`)).href,
    );
    const loaded = run(`
      import { registerHooks } from 'node:module';
      const seen = new Set();
      registerHooks({ load(url, context, next) {
        const found = /@opentelemetry\\/[^/]+/.exec(url);
        if (found) seen.add(found[0]);
        return next(url, context);
      } });
      for (const role of ${JSON.stringify(roles)}) await import(role);
      process.stdout.write([...seen].join(' '));
      process.exit(0);
    `);
    // only the interface, which prom-client loads for its exemplars
    expect(loaded.split(' ').filter((name) => name && name !== '@opentelemetry/api')).toEqual([]);
  });
});

test('ids of work add up, and end with it', async () => {
  await withIds({ request_id: 'r' }, async () => {
    await withIds({ delivery: 'd' }, async () => {
      await Promise.resolve();
      expect(currentIds()).toEqual({ request_id: 'r', delivery: 'd' });
    });
    expect(currentIds()).toEqual({ request_id: 'r' });
  });
  expect(currentIds()).toBeUndefined();
});

test('the trace of a traceparent', () => {
  expect(traceIdOf('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01')).toBe('0af7651916cd43dd8448eb211c80319c');
  expect(traceIdOf(undefined)).toBeUndefined();
});
