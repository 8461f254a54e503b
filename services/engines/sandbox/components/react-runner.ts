import { createHash } from 'node:crypto';
import ivm from 'isolated-vm';
import { ComponentFailure, NoComponent } from './component-failure.ts';
import { isolateProgram } from './isolate-program.ts';
import type { WorkNote } from './work-note.ts';

export interface ReactRender {
  /** Identifies the code; the same key always means the same code. */
  key: string;
  code: string;
  /** The props as JSON. */
  props: string;
  /** Whether the browser hydrates the markup. */
  live: boolean;
  /** Where the component is shown, for the notes that the process leaves. */
  place: string;
  /** Keeps ids of several components on a page distinct. */
  idPrefix: string;
}

const memoryMb = 128;
const startTimeoutMs = 5_000;
const maxHtmlLength = 4_000_000;
const maxMessageLength = 500;

export interface ReactRunnerOptions {
  /** The time that the clock shows. */
  nowMs: number;
  /** Time limit for one component. */
  timeoutMs: number;
  /**
   * Called before a component runs and, with null, after it: a failure that no limit catches ends this process without
   * a message.
   */
  onWork?: (work: WorkNote | null) => void;
}

interface Room {
  isolate: ivm.Isolate;
  context: ivm.Context;
  define: ivm.Reference;
  render: ivm.Reference;
  known: Set<string>;
}

function openRoom(nowMs: number): Room {
  const isolate = new ivm.Isolate({ memoryLimit: memoryMb, onCatastrophicError: () => process.abort() });
  const context = isolate.createContextSync();
  const program = isolate.compileScriptSync(isolateProgram(), { filename: 'react' });
  const start = program.runSync(context, { reference: true }) as ivm.Reference;
  const api = start.applySync(undefined, [nowMs], {
    timeout: startTimeoutMs,
    result: { reference: true },
  }) as ivm.Reference;
  const define = api.getSync('define', { reference: true }) as ivm.Reference;
  const render = api.getSync('render', { reference: true }) as ivm.Reference;
  return { isolate, context, define, render, known: new Set() };
}

/** Turns text into one plain line, because text that a component throws ends up in messages. */
function tidy(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length > maxMessageLength ? `${line.slice(0, maxMessageLength)}…` : line;
}

function describeLimit(room: Room, error: unknown, timeoutMs: number): ComponentFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (room.isolate.isDisposed) return new ComponentFailure('it uses too much memory');
  if (/timed out/.test(message)) return new ComponentFailure(`it takes longer than ${timeoutMs} ms`);
  return new ComponentFailure(tidy(message));
}

/**
 * Creates a runner that renders React components of one site to markup in an isolate: bounded in memory and time, with
 * a clock fixed at `nowMs`, and without access to the surrounding process. Only text passes in and out.
 */
export function createReactRunner({ nowMs, timeoutMs, onWork }: ReactRunnerOptions) {
  let room: Room | null = null;
  /** A component that exceeded a limit is not tried again: every page that shows it would wait as long. */
  const broken = new Map<string, ComponentFailure>();

  function close(): void {
    if (room && !room.isolate.isDisposed) room.isolate.dispose();
    room = null;
  }

  function define({ isolate, context, define: reference, known }: Room, { key, code }: ReactRender): void {
    if (known.has(key)) return;
    const source = `(function (React) { return function (require, module, exports) {${code}\n}; })`;
    const script = isolate.compileScriptSync(source, { filename: 'component' });
    const factory = script.runSync(context, { timeout: timeoutMs, reference: true }) as ivm.Reference;
    reference.applySync(undefined, [key, factory.derefInto()], { timeout: timeoutMs });
    factory.release();
    script.release();
    known.add(key);
  }

  return {
    /** Returns the markup of one component. Throws a ComponentFailure. */
    render(input: ReactRender): string {
      const earlierFailure = broken.get(input.key);
      if (earlierFailure) throw earlierFailure;
      const current = (room ??= openRoom(nowMs));
      const chance = createHash('sha256').update(input.key).update(input.props).digest().readInt32LE(0);
      let output: unknown;
      onWork?.({ component: input.key, place: input.place });
      try {
        define(current, input);
        const args = [input.key, input.props, chance, input.live, input.idPrefix];
        output = current.render.applySync(undefined, args, { timeout: timeoutMs, result: { copy: true } });
      } catch (error) {
        const failure = describeLimit(current, error, timeoutMs);
        // an interrupted isolate is not reused
        close();
        broken.set(input.key, failure);
        throw failure;
      } finally {
        onWork?.(null);
      }
      if (typeof output !== 'string') throw new ComponentFailure('it returned no markup');
      if (output === '0') throw new NoComponent();
      if (output[0] !== '+') throw new ComponentFailure(tidy(output.slice(1)));
      if (output.length > maxHtmlLength) throw new ComponentFailure(`it returns more than ${maxHtmlLength} characters`);
      return output.slice(1);
    },
    close,
  };
}

export type ReactRunner = ReturnType<typeof createReactRunner>;
