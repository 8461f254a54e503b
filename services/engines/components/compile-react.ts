import * as esbuild from 'esbuild';
import { createFairQueue, takeTurn } from '../../core/fair-queue.ts';
import { codeFrame } from './code-frame.ts';
import { CompileError, type CompileFault } from './compiled.ts';
import { nestsCode } from './nesting.ts';
import { type TextReader, tooComplex } from './text-reader.ts';

export interface CompiledReact {
  code: string;
  client: string | null;
}

const importable = ['react', 'react/jsx-runtime'];
const target = 'es2022';
const compileTimeoutMs = 5_000;
const maxNesting = 500;
const maxFaults = 10;

/** Reads nothing from disk: an import is either one of React's or an error at its position in the source. */
const onlyReact: esbuild.Plugin = {
  name: 'only-react',
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined;
      if (kind === 'import-statement' && importable.includes(path)) return { path, external: true };
      const how =
        kind === 'import-statement' ? 'imported' : kind === 'dynamic-import' ? 'imported while it runs' : 'required';
      return { errors: [{ text: `"${path}" cannot be ${how}: a component can import "react" and nothing else` }] };
    });
  },
};

const messages: Record<string, string> = {
  'unsupported-dynamic-import': 'A component cannot import while it runs',
  'unsupported-require-call': '"require" is not available: a component can import "react" and nothing else',
  'indirect-require': '"require" is not available: a component can import "react" and nothing else',
  'empty-import-meta': '"import.meta" is not available to a component',
};

const buildOptions = {
  bundle: true,
  write: false,
  metafile: false,
  format: 'esm',
  platform: 'neutral',
  target,
  charset: 'utf8',
  jsx: 'automatic',
  treeShaking: false,
  logLevel: 'silent',
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  define: { 'process.env.NODE_ENV': '"production"' },
  supported: { 'top-level-await': false, 'import-meta': false },
  logOverride: Object.fromEntries(Object.keys(messages).map((id) => [id, 'error' as const])),
  plugins: [onlyReact],
} satisfies esbuild.BuildOptions;

/** Converts a compiler message; the compiler counts columns in bytes from 0, faults count characters from 1. */
function toFault(source: string, { id, text, location }: esbuild.Message): CompileFault {
  const message = messages[id] ?? (/^Top-level await/.test(text) ? '"await" is not allowed outside a function' : text);
  if (!location) return { member: 'source_code', message, line: 0, column: 0, frame: '' };
  const { line, lineText } = location;
  const column = Buffer.from(lineText).subarray(0, location.column).toString('utf8').length + 1;
  return { member: 'source_code', message, line, column, frame: codeFrame(source, line, column) };
}

/**
 * The compiler is one process, which is killed when it takes too long. It gets one source at a time, so that killing it
 * affects no other, and sources of different keys take turns.
 */
const turns = createFairQueue({ capacity: 1, maxWaiting: 64 });

/** Runs the compiler with a timeout. If its process ends, it is restarted and the work repeated once. */
async function bounded<T>(work: () => Promise<T>, mayRepeat = true): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tooComplex('source_code')), compileTimeoutMs);
  try {
    return await Promise.race([work(), promise]);
  } catch (error) {
    if (isBuildFailure(error)) throw error;
    await esbuild.stop();
    if (error instanceof CompileError || !mayRepeat) throw tooComplex('source_code');
  } finally {
    clearTimeout(timer);
  }
  return bounded(work, false);
}

function isBuildFailure(error: unknown): error is esbuild.BuildFailure {
  return error instanceof Error && Array.isArray((error as Partial<esbuild.BuildFailure>).errors);
}

async function bundle(source: string): Promise<string> {
  const stdin = { contents: source, loader: 'tsx', sourcefile: 'component.tsx' } as const;
  try {
    const { outputFiles } = await bounded(() => esbuild.build({ ...buildOptions, stdin }));
    return outputFiles[0]!.text;
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    throw new CompileError(error.errors.slice(0, maxFaults).map((message) => toFault(source, message)));
  }
}

async function toCommonJs(code: string, minify: boolean): Promise<string> {
  const options = { loader: 'js', format: 'cjs', target, charset: 'utf8', minify, logLevel: 'silent' } as const;
  return (await bounded(() => esbuild.transform(code, options))).code;
}

/**
 * Compiles the source of a React component, TypeScript or not, to CommonJS for the sandbox and, if it has state,
 * effects or handlers, for the browser. Sources of different keys take turns. Throws a CompileError with line, column
 * and code frame (spec: Case rules, 2), and `unavailable` when too many wait.
 */
export async function compileReact(
  texts: Pick<TextReader, 'findComponent'>,
  key: string,
  source: string,
): Promise<CompiledReact> {
  if (nestsCode(source, maxNesting)) throw tooComplex('source_code');
  const code = await takeTurn(turns, key, () => bundle(source));
  const { name, found, interactive } = await texts.findComponent(key, code);
  const entry = name === null ? code : `${code}\nexport { ${name} as default };\n`;
  return takeTurn(turns, key, async () => {
    const [server, client] = await Promise.all([
      toCommonJs(entry, false),
      found && interactive ? toCommonJs(entry, true) : null,
    ]);
    return { code: server, client };
  });
}
