import { createHash } from 'node:crypto';
import type { BusboyFileStream } from '@fastify/busboy';
import { type ErrorDetail, invalid, Problem } from '../../core/errors.ts';
import type { App } from '../app.ts';
import { receiveFile } from './receive.ts';
import type { StoredFile } from './row.ts';

/** A file that came with a form: already stored. A class, so that no JSON body can claim to be one. */
export class ReceivedFile {
  readonly stored: StoredFile;
  constructor(stored: StoredFile) {
    this.stored = stored;
  }
}

/** The form's fields by name, as text; `decorative` and `focal_point` as what they say, where they say it well. */
export type UploadForm = Record<string, unknown>;

/** Of the parser; a form has few and small fields. */
export const formLimits = {
  fieldNameSize: 100,
  fieldSize: 16 * 1024,
  fields: 20,
  parts: 30,
  files: 2,
  headerPairs: 40,
  headerSize: 16 * 1024,
};
export const fileField = 'file';
/** More than all fields together may have: what remains of the body beyond it belongs to the file. */
const maxBytesAfterFile = 1024 * 1024;

/** A form that cannot be read: told before idempotency, like malformed JSON (contract: order of checks). */
export class MalformedForm extends Problem {
  constructor(message: string) {
    super('validation_failed', message, { details: [{ path: '', message }] });
  }
}

/** 422 for a form that cannot be read. */
export function malformed(message: string): Problem {
  return new MalformedForm(message);
}

/** 422 for one field of a form. */
export function invalidField(path: string, message: string): Problem {
  return invalid([{ path, message } satisfies ErrorDetail]);
}

/** What forms say for a boolean. */
const flags: Record<string, boolean> = { true: true, '1': true, false: false, '0': false };

/** Longer text is no focal point, and might nest without end. */
const maxPointLength = 200;

/** A part of a form that is an object is sent as JSON (OpenAPI 3.1, encoding of `multipart/form-data`). */
function readPoint(text: string): unknown {
  if (text.length > maxPointLength) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text; // the schema says what it should be
  }
}

function readField(name: string, text: string): unknown {
  if (name === 'decorative') return flags[text.trim().toLowerCase()] ?? text;
  return name === 'focal_point' ? readPoint(text) : text;
}

/** What has been read so far, and the first thing that was wrong with it. */
export interface Form {
  fields: UploadForm;
  /** `stored` is null for what browsers send when no file was chosen. */
  file: { part: BusboyFileStream; stored: Promise<StoredFile | null> } | null;
  fault: Problem | null;
  /** What is wrong with `url`, which is ignored when there is a file (spec: Media item). */
  urlFault: Problem | null;
  /** Aborted when the file is not read any more: the parser, which waits for its reader, would then wait for ever. */
  abandoned: AbortController;
  /** Bytes of the body that have not been read; 0 when nobody knows. */
  remainingBytes: () => number;
}

function faultOfField(form: Form, name: string | undefined, value: string, valueCut: boolean): Problem | null {
  if (!name) return malformed('A part of the form has no name.');
  if (name.length > formLimits.fieldNameSize) return malformed('A part of the form has too long a name.');
  if (valueCut) return invalidField(name, `must be at most ${formLimits.fieldSize} bytes`);
  if (Object.hasOwn(form.fields, name)) return invalidField(name, 'is there more than once');
  if (value.includes('\0')) return invalidField(name, 'must not contain NUL');
  return value.includes('\ufffd') ? invalidField(name, 'must be valid UTF-8') : null;
}

/** Takes in a field that the parser has read; what is wrong with it becomes the form's fault. */
export function addField(form: Form, name: string, value: string, valueCut: boolean): void {
  const fault = faultOfField(form, name, value, valueCut);
  if (name === 'url') form.urlFault ??= fault;
  else form.fault ??= fault;
  if (fault) return;
  // defined, not assigned: a field may be called __proto__
  Object.defineProperty(form.fields, name, { value: readField(name, value), enumerable: true });
}

function faultOfFile(form: Form, name: string | undefined, filename: string | undefined): Problem | null {
  if (!name) return malformed('A part of the form has no name.');
  if (name !== fileField) return invalidField(name, 'is not a member of this request; send the file as file');
  if (form.file) return invalidField(fileField, 'is there more than once; send one file');
  return filename === undefined ? invalidField(fileField, 'must be sent as a file, with a filename') : null;
}

async function* prepend(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/** A file without a name and without bytes is what browsers send when none was chosen. */
async function storeUnnamed(
  app: App,
  part: BusboyFileStream,
  limits: { minBytes: number },
): Promise<StoredFile | null> {
  const chunks = (part as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) return null;
  return receiveFile(app, prepend(first.value, { [Symbol.asyncIterator]: () => chunks }), '', limits);
}

/** Takes in a file whose bytes are to come, and begins to store it. */
export function addFile(
  form: Form,
  app: App,
  part: BusboyFileStream,
  name: string | undefined,
  filename: string | undefined,
) {
  part.on('error', () => undefined); // told through the iteration, or not wanted any more
  const fault = faultOfFile(form, name, filename);
  form.fault ??= fault;
  if (fault) return void part.resume();
  const limits = { minBytes: form.remainingBytes() - maxBytesAfterFile };
  const stored = filename === '' ? storeUnnamed(app, part, limits) : receiveFile(app, part, filename!, limits);
  stored.catch((error: unknown) => {
    part.resume();
    form.fault ??= error instanceof Problem ? error : malformed('The multipart body ended too early.');
    form.abandoned.abort();
  });
  form.file = { part, stored };
}

/** What a form amounts to for idempotency: its fields and the file's bytes, whatever the boundary was. */
export function hashForm(fields: UploadForm, file: StoredFile | null): string {
  const members = Object.entries(fields).filter(([name]) => name !== fileField);
  const canonical = [members.sort(([a], [b]) => (a < b ? -1 : 1)), file?.sha256 ?? null];
  return createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
}

/** The same for a form that was not read to its end: what was read of it, and what was wrong there. */
export function hashFaultyForm(fields: UploadForm, fault: Problem): string {
  return createHash('sha256')
    .update(JSON.stringify(['faulty', hashForm(fields, null), fault.details]))
    .digest('hex');
}
