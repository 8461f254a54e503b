import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

function readPart(packageName: string, file: string): string {
  return readFileSync(path.join(path.dirname(require.resolve(`${packageName}/package.json`)), 'cjs', file), 'utf8');
}

let modules: [name: string, code: string][] | null = null;

/** Returns React's own modules for rendering to text, as CommonJS; read once. */
export function reactModules(): [name: string, code: string][] {
  modules ??= [
    ['react', readPart('react', 'react.production.js')],
    ['react/jsx-runtime', readPart('react', 'react-jsx-runtime.production.js')],
    ['react-dom', readPart('react-dom', 'react-dom.production.js')],
    ['react-dom/server', readPart('react-dom', 'react-dom-server-legacy.browser.production.js')],
  ];
  return modules;
}
