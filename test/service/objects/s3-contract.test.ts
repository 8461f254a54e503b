import { afterAll, beforeAll } from '@jest/globals';
import { openKeyedStore } from '../../../services/engines/objects/open.ts';
import { testKeyedStore } from '../../harness/keyed-store-contract.ts';
import { describeWith } from '../../harness/programs.ts';
import { findS3Server, type S3Server, startS3Server } from '../../harness/s3-server.ts';

const {
  S3_ENDPOINT,
  S3_BUCKET = 'fieldstone-contract',
  S3_ACCESS_KEY,
  S3_SECRET_KEY,
  S3_REGION = 'us-east-1',
} = process.env;
/** The server that the environment names, to test whether it fits; otherwise moto. */
const given = S3_ENDPOINT
  ? { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY: S3_ACCESS_KEY!, S3_SECRET_KEY: S3_SECRET_KEY!, S3_REGION }
  : null;
const program = given ? null : findS3Server();

describeWith('moto_server, or python3 with venv and pip', given !== null || program !== null)('objects on S3', () => {
  let server: Pick<S3Server, 'settings' | 'stop'>;
  const open = () => {
    const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY, S3_REGION } = server.settings;
    const keys = { accessKey: S3_ACCESS_KEY, secretKey: S3_SECRET_KEY, region: S3_REGION, ca: undefined };
    return openKeyedStore({ engine: 's3', endpoint: S3_ENDPOINT, bucket: S3_BUCKET, ...keys });
  };
  beforeAll(async () => {
    server = given ? { settings: given, stop: async () => undefined } : await startS3Server(program!);
    await open().ensure();
  }, 90_000);
  afterAll(() => server?.stop());

  testKeyedStore(open);
});
