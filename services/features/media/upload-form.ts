import { createHash } from 'node:crypto';
import type { BusboyFileStream } from '@fastify/busboy';
import { type ErrorDetail, invalid, Problem } from '../../core/errors.ts';
import type { App } from '../app.ts';
import { receiveFile } from './receive.ts';
import type { StoredFile } from './row.ts';

/** A file received with a form and already stored. It is a class, so that no JSON body can imitate one. */
export class ReceivedFile {
  readonly stored: StoredFile;
  constructor(stored: StoredFile) {
    this.stored = stored;
  }
}

/** The form's fields by name, as text; `decorative` and `focal_point` are parsed if they are valid. */
export type UploadForm = Record<string, unknown>;

/** Limits of the parser; a form has few and small fields. */
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
/** More than all fields together: if more of the body remains, it belongs to the file. */
const maxBytesAfterFile = 1024 * 1024;

/** A form that cannot be read: reported before idempotency, like malformed JSON (contract: order of checks). */
export class MalformedForm extends Problem {
  constructor(message: string) {
    super('validation_failed', message, { details: [{ path: '', message }] });
  }
}

/** Returns a 422 for a form that cannot be read. */
export function malformed(message: string): Problem {
  return new MalformedForm(message);
}

/** Returns a 422 for one field of a form. */
export function invalidField(path: string, message: string): Problem {
  return invalid([{ path, message } satisfies ErrorDetail]);
}

/** Values of a boolean field. */
const flags: Record<string, boolean> = { true: true, '1': true, false: false, '0': false };

/** Longer text cannot be a focal point, and might nest indefinitely. */
const maxPointLength = 200;

/** An object in a form is sent as JSON (OpenAPI 3.1, encoding of `multipart/form-data`). */
function readPoint(text: string): unknown {
  if (text.length > maxPointLength) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text; // the schema reports the error
  }
}

function readField(name: string, text: string): unknown {
  if (name === 'decorative') return flags[text.trim().toLowerCase()] ?? text;
  return name === 'focal_point' ? readPoint(text) : text;
}

/** What has been read so far, and the first error. */
export interface Form {
  fields: UploadForm;
  /** `stored` is null for the empty part that browsers send when no file was chosen. */
  file: { part: BusboyFileStream; stored: Promise<StoredFile | null> } | null;
  fault: Problem | null;
  /** The error of `url`, which is ignored when the form has a file (spec: Media item). */
  urlFault: Problem | null;
  /**
   * Aborted when the file is no longer read: otherwise the parser, which waits for its reader, would wait indefinitely.
   */
  abandoned: AbortController;
  /** Number of bytes of the body not yet read; 0 when unknown. */
  remainingBytes: () => number;
}

function faultOfField(form: Form, name: string | undefined, value: string, valueCut: boolean): Problem | null {
  if (!name) return malformed('A part of the form has no name.');
  if (name.length > formLimits.fieldNameSize) return malformed('The name of a form part is too long.');
  if (valueCut) return invalidField(name, `must be at most ${formLimits.fieldSize} bytes`);
  if (Object.hasOwn(form.fields, name)) return invalidField(name, 'is present more than once');
  if (value.includes('\0')) return invalidField(name, 'must not contain NUL');
  return value.includes('\ufffd') ? invalidField(name, 'must be valid UTF-8') : null;
}

/** Adds a field from the parser; its error becomes the form's fault. */
export function addField(form: Form, name: string, value: string, valueCut: boolean): void {
  const fault = faultOfField(form, name, value, valueCut);
  if (name === 'url') form.urlFault ??= fault;
  else form.fault ??= fault;
  if (fault) return;
  // defined, not assigned: a field may be named __proto__
  Object.defineProperty(form.fields, name, { value: readField(name, value), enumerable: true });
}

function faultOfFile(form: Form, name: string | undefined, filename: string | undefined): Problem | null {
  if (!name) return malformed('A part of the form has no name.');
  if (name !== fileField) return invalidField(name, 'is not a member of this request; send the file as file');
  if (form.file) return invalidField(fileField, 'is present more than once; send one file');
  return filename === undefined ? invalidField(fileField, 'must be sent as a file, with a filename') : null;
}

async function* prepend(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/** Stores a file without a name. Without bytes, it is what browsers send when no file was chosen. */
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

/** Adds a file from the parser and starts to store it. */
export function addFile(
  form: Form,
  app: App,
  part: BusboyFileStream,
  name: string | undefined,
  filename: string | undefined,
) {
  part.on('error', () => undefined); // reported by the iteration, or no longer relevant
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

/** Returns the hash of a form for idempotency: its fields and the file's bytes, independent of the boundary. */
export function hashForm(fields: UploadForm, file: StoredFile | null): string {
  const members = Object.entries(fields).filter(([name]) => name !== fileField);
  const canonical = [members.sort(([a], [b]) => (a < b ? -1 : 1)), file?.sha256 ?? null];
  return createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
}

/** Returns the hash of a form that was not read completely: what was read, and its error. */
export function hashFaultyForm(fields: UploadForm, fault: Problem): string {
  return createHash('sha256')
    .update(JSON.stringify(['faulty', hashForm(fields, null), fault.details]))
    .digest('hex');
}
