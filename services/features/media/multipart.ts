import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy';

import { type ErrorDetail, invalid, Problem, problem } from '../../core/errors.ts';
import type { CustomBodyInput } from '../../core/http.ts';
import type { App } from '../app.ts';
import { readWhileItComes } from './idle.ts';
import { receiveFile } from './receive.ts';
import type { StoredFile } from './row.ts';

/** A file that came with a form: already stored. A class, so that no JSON body can claim to be one. */
export class ReceivedFile {
  readonly stored: StoredFile;
  constructor(stored: StoredFile) {
    this.stored = stored;
  }
}

/** The form's fields by name, as text; `decorative` as a boolean where it is one. */
export type UploadForm = Record<string, string | boolean | ReceivedFile>;

const limits = {
  fieldNameSize: 100,
  fieldSize: 16 * 1024,
  fields: 20,
  parts: 30,
  files: 2,
  headerPairs: 40,
  headerSize: 16 * 1024,
};
const fileField = 'file';
const drainMs = 60_000;
/** More than all fields together may have: what remains of the body beyond it belongs to the file. */
const maxBytesAfterFile = 1024 * 1024;

function malformed(message: string): Problem {
  return problem('validation_failed', message, { details: [{ path: '', message }] });
}

function invalidField(path: string, message: string): Problem {
  return invalid([{ path, message } satisfies ErrorDetail]);
}

/** Lets go what is still coming, so that the client can read the reply; for a while, then hangs up. */
function drain(stream: Readable): void {
  if (stream.readableEnded || stream.destroyed) return;
  const timer = setTimeout(() => stream.destroy(), drainMs);
  stream.once('close', () => clearTimeout(timer));
  stream.resume();
}

type Parser = InstanceType<typeof Busboy>;

function openParser(headers: CustomBodyInput['headers']): Parser {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits,
      isPartAFile: (name, _type, filename) => filename !== undefined || name === fileField,
    });
  } catch {
    throw malformed('The multipart body is malformed: its content type names no boundary.');
  }
}

const flags: Record<string, boolean> = { true: true, '1': true, false: false, '0': false };

/** What has been read so far, and the first thing that was wrong with it. */
interface Form {
  fields: UploadForm;
  file: { part: BusboyFileStream; stored: Promise<StoredFile>; named: boolean } | null;
  fault: Problem | null;
  /** Aborted when the file is not read any more: the parser, which waits for its reader, would then wait for ever. */
  abandoned: AbortController;
  /** Bytes of the body that have not been read; 0 when nobody knows. */
  remainingBytes: () => number;
}

function faultOfField(form: Form, name: string | undefined, value: string, valueCut: boolean): Problem | null {
  if (!name) return malformed('A part of the form has no name.');
  if (name.length > limits.fieldNameSize) return malformed('A part of the form has too long a name.');
  if (valueCut) return invalidField(name, `must be at most ${limits.fieldSize} bytes`);
  if (Object.hasOwn(form.fields, name)) return invalidField(name, 'is there more than once');
  if (value.includes('\0')) return invalidField(name, 'must not contain NUL');
  return value.includes('\ufffd') ? invalidField(name, 'must be valid UTF-8') : null;
}

function addField(form: Form, name: string, value: string, valueCut: boolean): void {
  const fault = faultOfField(form, name, value, valueCut);
  form.fault ??= fault;
  if (fault) return;
  const flag = name === 'decorative' ? flags[value.trim().toLowerCase()] : undefined;
  // defined, not assigned: a field may be called __proto__
  Object.defineProperty(form.fields, name, { value: flag ?? value, enumerable: true });
}

function faultOfFile(form: Form, name: string | undefined, filename: string | undefined): Problem | null {
  if (!name) return malformed('A part of the form has no name.');
  if (name !== fileField) return invalidField(name, 'is not a member of this request; send the file as file');
  if (form.file) return invalidField(fileField, 'is there more than once; send one file');
  return filename === undefined ? invalidField(fileField, 'must be sent as a file, with a filename') : null;
}

function addFile(form: Form, app: App, part: BusboyFileStream, name: string | undefined, filename: string | undefined) {
  part.on('error', () => undefined); // told through the iteration, or not wanted any more
  const fault = faultOfFile(form, name, filename);
  form.fault ??= fault;
  if (fault) return void part.resume();
  const stored = receiveFile(app, part, filename!, { minBytes: form.remainingBytes() - maxBytesAfterFile });
  stored.catch((error: unknown) => {
    part.resume();
    form.fault ??= error instanceof Problem ? error : malformed('The multipart body ended too early.');
    form.abandoned.abort();
  });
  form.file = { part, stored, named: filename !== '' };
}

async function* countBytes(chunks: AsyncIterable<Buffer>, count: { bytes: number }): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    count.bytes += chunk.length;
    yield chunk;
  }
}

/**
 * Waits for an event of the parser's. Not by a race with promises that live as long as the body: each wait would leave
 * something behind with them, tens of megabytes in a large file.
 */
async function waitFor(parser: Parser, event: 'drain' | 'finish', { abandoned }: Form): Promise<void> {
  await once(parser, event, { signal: abandoned.signal }).catch((error: unknown) => {
    if (!abandoned.signal.aborted) throw error;
  });
}

/** Feeds the parser at the pace at which the file is stored; ends at the first fault. */
async function feed(parser: Parser, form: Form, chunks: AsyncIterable<Buffer>): Promise<void> {
  let failure: { error: unknown } | null = null;
  parser.once('error', (error) => {
    failure = { error };
  });
  // the form may end before the body: what follows its last boundary may come as a chunk of its own
  let isFinished = false;
  parser.once('finish', () => {
    isFinished = true;
  });
  const check = () => {
    if (form.fault) throw form.fault;
    if (failure) throw failure.error;
  };
  for await (const chunk of chunks) {
    if (!parser.write(chunk)) await waitFor(parser, 'drain', form);
    check();
  }
  if (!isFinished) {
    const finished = waitFor(parser, 'finish', form);
    parser.end();
    await finished;
  }
  check();
}

/** What a form amounts to for idempotency: its fields and the file's bytes, whatever the boundary was. */
function hashForm(fields: UploadForm, file: StoredFile | undefined): string {
  const members = Object.entries(fields).filter(([name]) => name !== fileField);
  const canonical = [members.sort(([a], [b]) => (a < b ? -1 : 1)), file?.sha256 ?? null];
  return createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
}

/** An empty file without a name is what browsers send for "no file chosen". */
async function settleFile(form: Form): Promise<StoredFile | undefined> {
  try {
    return await form.file?.stored;
  } catch (error) {
    if (form.file?.named === false && error instanceof Problem && error.code === 'validation_failed') return undefined;
    throw error;
  }
}

/**
 * Reads `multipart/form-data` with at most one file, which goes straight into the object store. Throws `validation_failed` for
 * every kind of broken form, `too_large`, `request_timeout` when the bytes stop coming, `bad_request` when the client is gone.
 */
export async function readUploadForm(input: CustomBodyInput): Promise<{ value: UploadForm; hash: string }> {
  const app = input.app as App;
  const announced = input.headers['content-encoding'] ? 0 : Number(input.headers['content-length'] ?? 0);
  const read = { bytes: 0 };
  const abandoned = new AbortController();
  const form: Form = { fields: {}, file: null, fault: null, abandoned, remainingBytes: () => announced - read.bytes };
  const fail = (fault: Problem) => () => {
    form.fault ??= fault;
  };
  const parser = openParser(input.headers);
  parser.on('field', (name, value, _nameCut, valueCut) => addField(form, name, value, valueCut));
  parser.on('file', (name, part, filename) => addFile(form, app, part, name, filename));
  parser.on('fieldsLimit', fail(malformed(`The form has more than ${limits.fields} fields.`)));
  parser.on('partsLimit', fail(malformed(`The form has more than ${limits.parts} parts.`)));
  parser.on('filesLimit', fail(invalidField(fileField, 'is there more than once; send one file')));
  try {
    await feed(parser, form, countBytes(readWhileItComes(input.stream, app.config.bodyTimeoutMs), read));
    const file = await settleFile(form);
    if (form.fault && (file || form.file?.named !== false)) throw form.fault;
    if (file) Object.defineProperty(form.fields, fileField, { value: new ReceivedFile(file), enumerable: true });
    return { value: form.fields, hash: hashForm(form.fields, file) };
  } catch (error) {
    parser.on('error', () => undefined);
    form.file?.part.destroy(); // ends the upload into the store
    drain(input.stream);
    throw form.fault ?? toProblem(error, input.stream);
  }
}

function toProblem(error: unknown, stream: Readable): unknown {
  if (error instanceof Problem) return error;
  if (stream.errored && (stream.errored as NodeJS.ErrnoException).code === 'ECONNRESET')
    return problem('bad_request', 'The connection ended before the body was complete.');
  return malformed('The multipart body is malformed or ended too early.');
}
