import { expect, test } from '@jest/globals';
import { readUploadForm } from '../../../services/features/media/multipart.ts';
import { uploadInput } from '../../fuzz/upload.ts';

const type = 'multipart/form-data; boundary=xYz';
const form = [
  '--xYz\r\nContent-Disposition: form-data; name="alt"\r\n\r\nA stone\r\n',
  '--xYz\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nsome bytes\r\n--xYz--',
].join('');

test.each(['', '\r\n', '\r\nwhat follows the form', `--xYz--\r\n${'x'.repeat(100_000)}`])(
  'a form is read however its bytes are cut into chunks, with %j after it',
  async (epilogue) => {
    const body = Buffer.from(form + epilogue);
    const whole = await readUploadForm(uploadInput(type, body, body.length));
    expect(whole.value).toMatchObject({ alt: 'A stone', file: { stored: { filename: 'a.txt', bytes: 10 } } });
    for (const size of [1, 7, 30, form.length, form.length + 1]) {
      if (size < 30 && body.length > 1000) continue;
      expect(await readUploadForm(uploadInput(type, body, size))).toEqual(whole);
    }
  },
);

test('a form without a beginning, and fields alone, come to an end too', async () => {
  const fields = Buffer.from(
    '-xYz\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--xYz--"\r\nc\r\n--xYz--\r\n',
  );
  expect((await readUploadForm(uploadInput(type, fields, 30))).value).toEqual({});
});

test('what browsers send for "no file chosen" is no file, wherever it stands in the form', async () => {
  const url = '--xYz\r\nContent-Disposition: form-data; name="url"\r\n\r\nhttps://a.test/b.png\r\n';
  const none =
    '--xYz\r\nContent-Disposition: form-data; name="file"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n';
  for (const parts of [url + none, none + url]) {
    const body = Buffer.from(`${parts}--xYz--\r\n`);
    for (const size of [1, 30, body.length]) {
      expect((await readUploadForm(uploadInput(type, body, size))).value).toEqual({ url: 'https://a.test/b.png' });
    }
  }
});
