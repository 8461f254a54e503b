/** An engine that is one program: what it is called, how to recognise it, where its pinned source is. */
export interface EngineBinary {
  name: 'temporal' | 'minio';
  title: string;
  /** What its own answer to `--version` looks like: PATH may hold another program of that name. */
  versionPattern: RegExp;
  goPackage: string;
  /** The setting that makes this engine unnecessary. */
  setting: string;
  website: string;
}

export const temporalBinary: EngineBinary = {
  name: 'temporal',
  title: 'Temporal',
  versionPattern: /^temporal version .*server/i,
  goPackage: 'github.com/temporalio/cli/cmd/temporal',
  setting: 'TEMPORAL_ADDRESS',
  website: 'https://docs.temporal.io/cli',
};

export const minioBinary: EngineBinary = {
  name: 'minio',
  title: 'MinIO',
  versionPattern: /minio version/i,
  goPackage: 'github.com/minio/minio',
  setting: 'S3_ENDPOINT',
  website: 'https://github.com/minio/minio',
};
