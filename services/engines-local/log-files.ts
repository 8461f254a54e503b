import path from 'node:path';
import { createStream, type RotatingFileStream } from 'rotating-file-stream';

/**
 * Opens `<dataDir>/logs/<name>.log`, which is rotated at 10 MB; the last five files are kept (`<name>.1.log` is the
 * newest).
 */
export function openLogFile(dataDir: string, name: string): RotatingFileStream {
  const stream = createStream((index) => (index ? `${name}.${index}.log` : `${name}.log`), {
    path: path.join(dataDir, 'logs'),
    size: '10M',
    rotate: 5,
    mode: 0o600,
  });
  // A full disk must not stop the engines; the error is reported once on standard error.
  stream.once('error', (error: Error) =>
    process.stderr.write(`The log of ${name} cannot be written: ${error.message}\n`),
  );
  stream.on('error', () => {});
  return stream;
}
