// `node services/dashboard/build.ts [FOLDER [attached]]`: bundles the browser code into the folder, by default the one that
// is packed. `attached`: ends when the standard input does.

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import type { BundleIndex, PageFiles } from './bundle.ts';
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

/**
 * Puts everything that the program imports statically into one file. esbuild makes a file of the modules that the same entries reach, so that
 * each module that the program shares with other views would be a file of its own. Therefore every view imports the program, which has run
 * before any view is loaded.
 */
const oneProgram: Plugin = {
  name: 'one program',
  setup(bundler) {
    const views = new Set<string>();
    bundler.onResolve({ filter: /^\./ }, ({ path: name, kind, resolveDir }) => {
      if (kind === 'dynamic-import') views.add(path.join(resolveDir, name));
      return undefined;
    });
    bundler.onLoad({ filter: /\.tsx?$/ }, async ({ path: file }) => {
      if (!views.has(file)) return undefined;
      const program = JSON.stringify(path.join(here, script));
      return {
        contents: `${await readFile(file, 'utf8')}\nimport ${program};\n`,
        loader: file.endsWith('x') ? 'tsx' : 'ts',
      };
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
    plugins: [sheetsOfViews, oneProgram],
    logLevel: 'error',
  });

/** Fonts of other alphabets than the Latin one are loaded when a text needs them. */
const isFirstFont = (name: string): boolean => /-latin-(?!ext)[^/]*\.woff2$/.test(name);

type Outputs = Awaited<ReturnType<typeof bundle>>['metafile']['outputs'];

/** Returns the output that was made of a source file. */
const outputOf = (outputs: Outputs, source: string): string =>
  Object.keys(outputs).find((name) => outputs[name]!.entryPoint === source)!;

/** Returns an output with everything that it imports statically, itself first. */
function withImports(outputs: Outputs, start: string): Set<string> {
  const found = new Set<string>();
  const add = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    for (const { path: imported, kind } of outputs[name]!.imports) if (kind !== 'dynamic-import') add(imported);
  };
  add(start);
  return found;
}

/** A page of `app/views.ts`; its module exports its own name. */
interface NamedPage {
  path: string;
  load: () => Promise<{ default: string }>;
  reads: readonly string[];
}

/** Evaluates the table of pages with the names of the modules in place of the modules. */
async function readPages(): Promise<{ path: string; source: string; reads: readonly string[] }[]> {
  const names: Plugin = {
    name: 'names of modules',
    setup(bundler) {
      bundler.onResolve({ filter: /./ }, ({ path: name, kind, resolveDir }) => {
        if (kind === 'entry-point' || (kind !== 'dynamic-import' && name.startsWith('.'))) return undefined;
        return { path: path.relative(here, path.join(resolveDir, name)), namespace: 'name' };
      });
      bundler.onLoad({ filter: /./, namespace: 'name' }, ({ path: name }) => ({
        contents: `export default ${JSON.stringify(name)}`,
      }));
    },
  };
  const entryPoints = [path.join(here, 'app/views.ts')];
  const { outputFiles } = await build({ entryPoints, bundle: true, format: 'esm', write: false, plugins: [names] });
  const url = `data:text/javascript;base64,${Buffer.from(outputFiles[0]!.contents).toString('base64')}`;
  const { listPages } = (await import(url)) as { listPages: () => NamedPage[] };
  return Promise.all(
    listPages().map(async ({ path: at, load, reads }) => ({ path: at, source: (await load()).default, reads })),
  );
}

/** Returns the files that every view needs (the program, the style sheet and its fonts), and the further files of each page. */
async function findFirstFiles(outputs: Outputs): Promise<Omit<BundleIndex, 'sources'>> {
  const program = withImports(outputs, outputOf(outputs, script));
  const sheet = outputOf(outputs, styles);
  const fonts = outputs[sheet]!.imports.map(({ path: file }) => file).filter(isFirstFont);
  const baseNames = (names: Iterable<string>) => [...names].map((name) => path.basename(name));
  const pages = (await readPages()).map(({ path: at, source, reads }): PageFiles => {
    const files = [...withImports(outputs, outputOf(outputs, source))].filter((name) => !program.has(name));
    const ofType = (type: string) => baseNames(files.filter((name) => path.extname(name) === type));
    return { path: at, scripts: ofType('.js'), styles: ofType('.css'), reads: [...reads] };
  });
  return { scripts: baseNames(program), styles: baseNames([sheet]), fonts: baseNames(fonts), pages };
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
  const index: BundleIndex = { sources: await hashSources(), ...(await findFirstFiles(metafile.outputs)) };
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
