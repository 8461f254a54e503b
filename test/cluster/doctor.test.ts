import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { closeStack, stack } from '../harness/api.ts';
import { askDoctor, findCheck, listBad } from '../harness/doctor.ts';

let nowhere: string;
beforeAll(async () => {
  nowhere = `127.0.0.1:${await findFreePort()}`;
});
afterAll(closeStack);

describe('what is wrong with an engine is told in a sentence that says what to mend, and the exit code is 1', () => {
  test('Temporal is down', async () => {
    const diagnosis = await askDoctor({ TEMPORAL_ADDRESS: nowhere });
    expect({ code: diagnosis.code, bad: listBad(diagnosis) }).toEqual({ code: 1, bad: ['workflows'] });
    expect(findCheck(diagnosis, 'workflows').message).toContain(`Temporal at ${nowhere}: it does not respond. Check`);
  });

  test('Temporal has no such namespace', async () => {
    const diagnosis = await askDoctor({ TEMPORAL_NAMESPACE: 'elsewhere' });
    expect(findCheck(diagnosis, 'workflows').message).toContain('it has no namespace elsewhere');
  });

  test('the object store is down', async () => {
    const diagnosis = await askDoctor({ S3_ENDPOINT: `http://${nowhere}` });
    expect({ code: diagnosis.code, bad: listBad(diagnosis) }).toEqual({ code: 1, bad: ['objects', 'backups'] });
    expect(findCheck(diagnosis, 'objects').message).toBe(
      `The object store at http://${nowhere} with the bucket ${stack.env.S3_BUCKET}: nothing listens there (ECONNREFUSED). Check the S3_ settings.`,
    );
  });

  test('only the store of backups is down', async () => {
    const diagnosis = await askDoctor({ BACKUP_S3_ENDPOINT: `http://${nowhere}` });
    expect({ code: diagnosis.code, bad: listBad(diagnosis) }).toEqual({ code: 1, bad: ['backups'] });
    expect(findCheck(diagnosis, 'backups').message).toContain('Check the BACKUP_S3_ settings.');
  });

  test('the bucket is missing', async () => {
    const diagnosis = await askDoctor({ S3_BUCKET: 'nobodys-bucket' });
    expect(findCheck(diagnosis, 'objects').message).toBe(
      'There is no bucket nobodys-bucket. Run fieldstone migrate, which makes it.',
    );
  });

  test('the access key is wrong', async () => {
    // the S3 server of the tests accepts any key
    const refusal =
      '<Error><Code>SignatureDoesNotMatch</Code><Message>Another signature was computed.</Message></Error>';
    const strict = createServer((_, reply) => reply.writeHead(403, { 'Content-Type': 'application/xml' }).end(refusal));
    strict.listen(0, '127.0.0.1');
    await once(strict, 'listening');
    const { port } = strict.address() as AddressInfo;
    const diagnosis = await askDoctor({ S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_SECRET_KEY: 'wrong-secret' });
    strict.closeAllConnections();
    strict.close();
    expect(listBad(diagnosis)).toEqual(['objects', 'backups']);
    expect(JSON.stringify(diagnosis)).not.toContain('wrong-secret');
  });

  test('a setting is missing', async () => {
    const diagnosis = await askDoctor({ S3_ENDPOINT: '' });
    expect(diagnosis.code).toBe(1);
    expect(diagnosis.findings).toEqual([
      { check: 'settings', ok: false, level: 'bad', message: expect.stringContaining('Set S3_ENDPOINT') },
    ]);
  });
});

test('where no worker has asked for work it says what waits and which worker to start', async () => {
  // the server's own namespace, which none of our workers uses
  const diagnosis = await askDoctor({ TEMPORAL_NAMESPACE: 'temporal-system' });
  expect({ code: diagnosis.code, bad: listBad(diagnosis) }).toEqual({ code: 1, bad: ['workers'] });
  expect(findCheck(diagnosis, 'workers').message).toBe(
    'No worker has polled lately for this work: publishing, builds that may end a worker, imports, fact checks and ' +
      'operations on backups, deliveries, events, images, video. ' +
      'Start a worker with FIELDSTONE_WORKER_QUEUES=general,inbox,media.',
  );
});
