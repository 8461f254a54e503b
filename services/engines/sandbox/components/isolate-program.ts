import { reactModules } from './react-sources.ts';

/**
 * The program that every isolate runs: React, a fixed clock, seeded random numbers, and `render`. It is text because it
 * is compiled inside the isolate; components see its globals and none of ours.
 */
const setUp = `(function (definitions, nowMs) {
  'use strict';
  const global = globalThis;
  const { parse, stringify } = JSON;

  // no threads to wait on, nothing that runs later
  for (const name of ['SharedArrayBuffer', 'Atomics', 'WebAssembly', 'FinalizationRegistry', 'WeakRef']) delete global[name];

  const RealDate = Date;
  const FixedDate = new Proxy(RealDate, {
    construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [nowMs] : args, made),
    apply: () => new RealDate(nowMs).toString(),
  });
  RealDate.now = () => nowMs;
  RealDate.prototype.constructor = FixedDate;
  global.Date = FixedDate;
  const format = Intl.DateTimeFormat.prototype;
  const { get } = Object.getOwnPropertyDescriptor(format, 'format');
  Object.defineProperty(format, 'format', { configurable: true, get() {
    const inner = get.call(this);
    return (date) => inner(date === undefined ? nowMs : date);
  } });
  const { formatToParts } = format;
  format.formatToParts = function (date) { return formatToParts.call(this, date === undefined ? nowMs : date); };

  let seed = 0;
  Math.random = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };

  const quiet = () => undefined;
  global.console = { log: quiet, info: quiet, debug: quiet, warn: quiet, error: quiet, trace: quiet };
  global.self = global;

  const loaded = Object.create(null);
  function load(name) {
    if (loaded[name]) return loaded[name].exports;
    const module = (loaded[name] = { exports: {} });
    definitions[name](load, module, module.exports);
    return module.exports;
  }
  const React = load('react');
  const server = load('react-dom/server');
  const own = { react: React, 'react/jsx-runtime': load('react/jsx-runtime') };
  function require(name) {
    if (name === 'react' || name === 'react/jsx-runtime') return own[name];
    throw new Error('"' + name + '" cannot be imported');
  }

  /** A new instance of the module each time: what it keeps to itself does not pass from page to page. */
  function instantiate(factory) {
    const module = { exports: {} };
    factory(React)(require, module, module.exports);
    const { default: found } = module.exports;
    const isComponent = typeof found === 'function' || (typeof found === 'object' && found !== null && '$$typeof' in found && !React.isValidElement(found));
    return isComponent ? found : null;
  }

  const factories = new Map();
  function describe(error) {
    try {
      return error instanceof Error ? error.name + ': ' + error.message : 'threw ' + String(error);
    } catch {
      return 'threw something that has no text';
    }
  }
  return {
    define(key, factory) { factories.set(key, factory); },
    /** Answers '+' and the markup, '-' and what went wrong, or '0': the module has no component. */
    render(key, props, chance, live, prefix) {
      try {
        seed = chance;
        const component = instantiate(factories.get(key));
        if (component === null) return '0';
        const element = React.createElement(component, parse(props));
        const html = live ? server.renderToString(element, { identifierPrefix: prefix }) : server.renderToStaticMarkup(element);
        return '+' + html;
      } catch (error) {
        return '-' + describe(error);
      }
    },
  };
})`;

let program: string | null = null;

/** Returns the text of the program: an expression whose value is a function of the time. */
export function isolateProgram(): string {
  const definitions = () =>
    reactModules().map(([name, code]) => `${JSON.stringify(name)}: function (require, module, exports) {${code}\n}`);
  program ??= `(function (nowMs) { return ${setUp}({${definitions().join(',\n')}}, nowMs); })`;
  return program;
}
