/**
 * Measures how long a React component takes from source to compiled, checked and rendered as a trial, warm, and how
 * many components of a page render per second in the isolate, compared with React in this process. The aim is a compile
 * p50 under 50 ms (issue: Speed). Run: node test/bench/components.ts
 */
import { spawnSync } from 'node:child_process';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createComponentCompiler } from '../../services/engines/components/compiler.ts';
import { createThreadPool } from '../../services/engines/threads/thread-pool.ts';
import { figure } from './report/figure.ts';

if (!process.execArgv.includes('--no-node-snapshot')) {
  // isolated-vm cannot start from Node's snapshot; React is compared with its own production build
  const env = { ...process.env, NODE_ENV: 'production' };
  const again = spawnSync(process.execPath, ['--no-node-snapshot', import.meta.filename], { stdio: 'inherit', env });
  process.exit(again.status ?? 1);
}
const { createReactRunner } = await import('../../services/engines/sandbox/components/react-runner.ts');

const compiles = 60;
const warmUp = 10;
const renders = 3_000;
const aimMs = 50;

const source = (n: number) => `
import { useState, type FC } from 'react';
interface Props { title: string; items?: { name: string; price: number }[] }
const Row: FC<{ name: string; price: number }> = ({ name, price }) => <li><b>{name}</b> {price.toFixed(2)}</li>;
export default function List${n}({ title, items = [] }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <section className="list">
      <h2 onClick={() => setOpen(!open)}>{title}</h2>
      {open && <p>open</p>}
      <ul>{items.map((item) => <Row key={item.name} {...item} />)}</ul>
    </section>
  );
}`;

const percentile = (values: number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)]!;

const threads = createThreadPool();
const compiler = createComponentCompiler(threads);
const times: number[] = [];
let code = '';
for (let n = 0; n < compiles + warmUp; n++) {
  const started = performance.now();
  const component = { handle: 'list', type: 'react' as const, source_code: source(n), css: '.list { margin: 0 }' };
  const { compiled } = await compiler.compile('bench', {
    ...component,
    variables_schema: { title: { type: 'string' } },
  });
  if (n >= warmUp) times.push(performance.now() - started);
  code = compiled.code;
}
await compiler.stop();
await threads.stop();
const p50 = percentile(times, 0.5);
figure(
  'React component, source to checked and tried',
  `p50 ${p50.toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms`,
  `p50 < ${aimMs} ms`,
);

const items = Array.from({ length: 10 }, (_, n) => ({ name: `item ${n}`, price: n }));
const module = { exports: {} as { default?: (props: object) => unknown } };
const react = await import('react');
const jsx = await import('react/jsx-runtime');
new Function('require', 'module', 'exports', code)(
  (name: string) => (name === 'react' ? react : jsx),
  module,
  module.exports,
);
const runner = createReactRunner({ nowMs: Date.now(), timeoutMs: 5_000 });

function rate(render: (props: object) => string): number {
  for (let n = 0; n < 300; n++) render({ title: `warm ${n}`, items });
  const started = performance.now();
  for (let n = 0; n < renders; n++) render({ title: `title ${n}`, items });
  return (renders * 1000) / (performance.now() - started);
}
const inside = rate((props) =>
  runner.render({ key: 'list', code, props: JSON.stringify(props), live: false, place: '/', idPrefix: '' }),
);
const bare = rate((props) => renderToStaticMarkup(createElement(module.exports.default as never, props)));
runner.close();
figure('rendering a component in its isolate, of bare React', (inside / bare).toFixed(2));
process.exitCode = p50 < aimMs ? 0 : 1;
