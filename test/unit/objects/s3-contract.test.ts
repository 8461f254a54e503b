import { afterAll, beforeAll, describe } from '@jest/globals';
import { openKeyedStore } from '../../../services/engines/objects/open.ts';
import { testKeyedStore } from '../../harness/keyed-store-contract.ts';
import { findS3Server, noS3Server, type S3Server, startS3Server } from '../../harness/s3-server.ts';

const program = findS3Server();
if (!program) console.warn(`SKIPPED: objects on S3: ${noS3Server}.`);

(program ? describe : describe.skip)('objects on S3', () => {
  let server: S3Server;
  const open = () => {
    const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY, S3_REGION } = server.settings;
    const keys = { accessKey: S3_ACCESS_KEY, secretKey: S3_SECRET_KEY, region: S3_REGION, ca: undefined };
    return openKeyedStore({ engine: 's3', endpoint: S3_ENDPOINT, bucket: S3_BUCKET, ...keys });
  };
  beforeAll(async () => {
    server = await startS3Server(program!);
    await open().ensure();
  }, 90_000);
  afterAll(() => server?.stop());

  testKeyedStore(open);
});
