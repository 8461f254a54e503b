// `node services/dashboard/build.ts [FOLDER [attached]]`: bundles the browser code into the folder, by default the one that
// is packed. `attached`: ends when the standard input does.

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import type { BundleIndex } from './bundle.ts';
import { hashSources, packedFolder } from './sources.ts';

const here = import.meta.dirname;
const script = 'app/main.tsx';
const styles = 'app/styles.css';
const compressible = new Set(['.js', '.css', '.svg']);

/**
 * Style sheets that a view loads itself: `import url from './content.css?url'` makes the sheet a separate file, and `url` is its URL. The
 * first view does not load it.
 */
const sheetsOfViews: Plugin = {
  name: 'sheets of views',
  setup(bundler) {
    bundler.onResolve({ filter: /\.css\?url$/ }, ({ path: name, resolveDir }) => ({
      path: path.join(resolveDir, name.slice(0, -'?url'.length)),
      namespace: 'sheet',
    }));
    bundler.onLoad({ filter: /./, namespace: 'sheet' }, async ({ path: file }) => {
      const { outputFiles } = await build({ entryPoints: [file], bundle: true, minify: true, write: false });
      return { contents: outputFiles[0]!.contents, loader: 'file', watchFiles: [file] };
    });
  },
};

/** Bundles in memory. Names contain the hash of their content; views are files of their own, loaded on demand. */
const bundle = () =>
  build({
    absWorkingDir: here,
    entryPoints: [script, styles],
    outdir: 'assets',
    outbase: '.',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['es2023', 'chrome123', 'firefox125', 'safari17.5'],
    // not from files: an image has no tsconfig.json
    tsconfigRaw: { compilerOptions: { jsx: 'react-jsx', verbatimModuleSyntax: true } },
    minify: true,
    legalComments: 'none',
    metafile: true,
    write: false,
    publicPath: '/dashboard/assets',
    loader: { '.woff': 'empty', '.woff2': 'file', '.svg': 'dataurl', '.txt': 'text' },
    define: { 'process.env.NODE_ENV': '"production"' },
    conditions: ['production'],
    plugins: [sheetsOfViews],
    logLevel: 'error',
  });

/** Fonts of other alphabets than the Latin one are loaded when a text needs them. */
const isFirstFont = (name: string): boolean => /-latin-(?!ext)[^/]*\.woff2$/.test(name);

type Outputs = Awaited<ReturnType<typeof bundle>>['metafile']['outputs'];

/** Returns the files that the first view needs: the program with what it imports statically, the style sheet and its fonts. */
function findFirstFiles(outputs: Outputs): Omit<BundleIndex, 'sources'> {
  const find = (source: string) => Object.keys(outputs).find((name) => outputs[name]!.entryPoint === source)!;
  const scripts = new Set<string>();
  const add = (name: string) => {
    if (scripts.has(name)) return;
    scripts.add(name);
    for (const { path: imported, kind } of outputs[name]!.imports) if (kind === 'import-statement') add(imported);
  };
  add(find(script));
  const sheet = find(styles);
  const fonts = outputs[sheet]!.imports.map(({ path: file }) => file).filter(isFirstFont);
  const baseNames = (names: Iterable<string>) => [...names].map((name) => path.basename(name));
  return { scripts: baseNames(scripts), styles: baseNames([sheet]), fonts: baseNames(fonts) };
}

/** Throws if the bundle contains code of the service: what runs in browsers imports types alone from there. */
function requireBrowserCode(inputs: readonly string[]): void {
  const foreign = inputs.find((name) => !/^(app|parts|views)\/|^sheet:|(^|\/)node_modules\//.test(name));
  if (foreign)
    throw new Error(`Browser code imports ${path.join('services/dashboard', foreign)}: use \`import type\`.`);
}

/** Writes a file, and its gzip and brotli forms where these are smaller. */
async function writeCompressed(file: string, bytes: Uint8Array): Promise<void> {
  await writeFile(file, bytes);
  if (!compressible.has(path.extname(file))) return;
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes));
}

/** Bundles the browser code into `folder`, which is replaced; `index.json` is written last. */
async function buildDashboard(folder: string): Promise<void> {
  const { outputFiles, metafile } = await bundle();
  requireBrowserCode(Object.keys(metafile.inputs));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await Promise.all(
    outputFiles.map((file) => writeCompressed(path.join(folder, path.basename(file.path)), file.contents)),
  );
  const index: BundleIndex = { sources: await hashSources(), ...findFirstFiles(metafile.outputs) };
  await writeFile(path.join(folder, 'index.json'), JSON.stringify(index));
  const sizes = await Promise.all(
    [...index.scripts, ...index.styles].map(async (name) => (await readFile(path.join(folder, `${name}.gz`))).length),
  );
  process.stdout.write(`first view: ${sizes.reduce((sum, bytes) => sum + bytes, 0)} bytes with gzip, without fonts\n`);
}

const [, , folder = packedFolder, isAttached] = process.argv;
if (isAttached) process.stdin.once('end', () => process.exit(1)).resume(); // the gateway that needs the bundle has ended
await buildDashboard(folder);
if (isAttached) process.exit(0); // the standard input is still open
