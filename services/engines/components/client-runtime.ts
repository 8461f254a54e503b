import { createHash } from 'node:crypto';
import * as esbuild from 'esbuild';

/** The module that every page with a live component loads: React and the code that hydrates the page's components. */
const entry = `
import * as React from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import { hydrateRoot } from 'react-dom/client';

const modules = { react: React, 'react/jsx-runtime': jsxRuntime };
const require = (name) => modules[name];

export function hydrate(handle, factory) {
  const module = { exports: {} };
  factory(React)(require, module, module.exports);
  const component = module.exports.default;
  for (const element of document.querySelectorAll('[data-component="' + handle + '"][data-props]')) {
    const { props, idPrefix } = element.dataset;
    hydrateRoot(element, React.createElement(component, JSON.parse(props)), { identifierPrefix: idPrefix });
  }
}
`;

/** A browser script and its SHA-256. */
export interface ClientScript {
  data: Buffer;
  hash: string;
}

function toScript(text: string): ClientScript {
  const data = Buffer.from(text);
  return { data, hash: createHash('sha256').update(data).digest('hex') };
}

let runtime: Promise<ClientScript> | null = null;

/** Bundles the shared runtime, once per process. The same React versions give the same bytes. */
export function clientRuntime(): Promise<ClientScript> {
  runtime ??= esbuild
    .build({
      stdin: { contents: entry, resolveDir: import.meta.dirname, loader: 'js' },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      legalComments: 'none',
      define: { 'process.env.NODE_ENV': '"production"' },
      logLevel: 'silent',
    })
    .then(
      ({ outputFiles }) => toScript(outputFiles[0]!.text),
      (error: unknown) => {
        runtime = null;
        throw error;
      },
    );
  return runtime;
}

/** Returns the script of one component: its module, registered with the runtime at `runtimeUrl`. */
export function clientModule(handle: string, client: string, runtimeUrl: string): ClientScript {
  const name = JSON.stringify(handle);
  const from = JSON.stringify(runtimeUrl);
  return toScript(
    `import{hydrate}from${from};hydrate(${name},React=>function(require,module,exports){${client}\n});\n`,
  );
}
