import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { Problem, problem } from '../../core/errors.ts';
import type { CustomBody, CustomBodyInput } from '../../core/http.ts';
import type { App } from '../app.ts';
import { readWithIdleTimeout } from './idle.ts';
import type { StoredFile } from './row.ts';
import { enterUpload } from './under-way.ts';
import {
  addField,
  addFile,
  type Form,
  fileField,
  formLimits,
  hashFaultyForm,
  hashForm,
  invalidField,
  MalformedForm,
  malformed,
  ReceivedFile,
  type UploadForm,
} from './upload-form.ts';

const drainMs = 60_000;

/**
 * Discards the rest of the body, so that the client can read the response; after `drainMs` it closes the connection.
 */
function drain(stream: Readable): void {
  if (stream.readableEnded || stream.destroyed) return;
  const timer = setTimeout(() => stream.destroy(), drainMs);
  stream.once('close', () => clearTimeout(timer));
  stream.resume();
}

type ReadForm = CustomBody & { value: UploadForm };
type Parser = InstanceType<typeof Busboy>;

function openParser(headers: CustomBodyInput['headers']): Parser {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: formLimits,
      isPartAFile: (name, _type, filename) => filename !== undefined || name === fileField,
    });
  } catch {
    throw malformed('The multipart body is malformed: its content type has no boundary.');
  }
}

async function* countBytes(chunks: AsyncIterable<Buffer>, count: { bytes: number }): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    count.bytes += chunk.length;
    yield chunk;
  }
}

/**
 * Waits for an event of the parser. A race with promises that live as long as the body would leak memory on every wait:
 * tens of megabytes for a large file.
 */
async function waitFor(parser: Parser, event: 'drain' | 'finish', { abandoned }: Form): Promise<void> {
  await once(parser, event, { signal: abandoned.signal }).catch((error: unknown) => {
    if (!abandoned.signal.aborted) throw error;
  });
}

/** Feeds the parser as fast as the file is stored; stops at the first fault. */
async function feed(parser: Parser, form: Form, chunks: AsyncIterable<Buffer>): Promise<void> {
  let failure: { error: unknown } | null = null;
  parser.once('error', (error) => {
    failure = { error };
  });
  // the form may end before the body: what follows its last boundary may arrive as a separate chunk
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

/**
 * Reads `multipart/form-data` with at most one file, which is streamed into the object store. An error in a field or
 * the file is returned as `fault`. Throws `validation_failed` for an unreadable form, as for JSON that cannot be
 * parsed, `too_large`, `request_timeout` when no data arrives, `bad_request` when the client disconnected,
 * `unavailable` when the user has too many uploads in progress.
 */
export async function readUploadForm(input: CustomBodyInput): Promise<ReadForm> {
  const app = input.app as App;
  const leave = enterUpload(app.config, input.userId);
  try {
    return await readForm(app, input);
  } finally {
    leave();
  }
}

async function readForm(app: App, input: CustomBodyInput): Promise<ReadForm> {
  const announced = input.headers['content-encoding'] ? 0 : Number(input.headers['content-length'] ?? 0);
  const read = { bytes: 0 };
  const abandoned = new AbortController();
  const form: Form = {
    fields: {},
    file: null,
    fault: null,
    urlFault: null,
    abandoned,
    remainingBytes: () => announced - read.bytes,
  };
  const fail = (fault: Problem) => () => {
    form.fault ??= fault;
  };
  const parser = openParser(input.headers);
  parser.on('field', (name, value, _nameCut, valueCut) => addField(form, name, value, valueCut));
  parser.on('file', (name, part, filename) => addFile(form, app, part, name, filename));
  parser.on('fieldsLimit', fail(malformed(`The form has more than ${formLimits.fields} fields.`)));
  parser.on('partsLimit', fail(malformed(`The form has more than ${formLimits.parts} parts.`)));
  parser.on('filesLimit', fail(invalidField(fileField, 'is present more than once; send one file')));
  try {
    await feed(parser, form, countBytes(readWithIdleTimeout(input.stream, app.config.bodyTimeoutMs), read));
    const file = (await form.file?.stored) ?? null;
    const fault = form.fault ?? (file ? null : form.urlFault);
    if (fault) throw fault;
    return { value: file ? withFile(form.fields, file) : form.fields, hash: hashForm(form.fields, file) };
  } catch (error) {
    parser.on('error', () => undefined);
    form.file?.part.destroy(); // aborts the upload to the store
    drain(input.stream);
    const fault = form.fault ?? toProblem(error, input.stream);
    const isOfContent = fault instanceof Problem && fault.code === 'validation_failed';
    if (!isOfContent || fault instanceof MalformedForm) throw fault;
    return { value: {}, hash: hashFaultyForm(form.fields, fault), fault };
  }
}

/** If the form has a file, its URL is ignored (spec: Media item). */
function withFile({ url: _ignored, ...fields }: UploadForm, file: StoredFile): UploadForm {
  return Object.defineProperty(fields, fileField, { value: new ReceivedFile(file), enumerable: true });
}

function toProblem(error: unknown, stream: Readable): unknown {
  if (error instanceof Problem) return error;
  if (stream.errored && (stream.errored as NodeJS.ErrnoException).code === 'ECONNRESET')
    return problem('bad_request', 'The connection ended before the body was complete.');
  return malformed('The multipart body is malformed or ended too early.');
}
