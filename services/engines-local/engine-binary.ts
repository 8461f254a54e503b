/** An official release for one kind of machine. */
export interface PinnedRelease {
  /** Tried in order; all of them serve the same bytes. */
  urls: string[];
  sha256: string;
  archive: 'tar.gz' | 'none';
}

/** An engine that is one program: what it is called, how to recognise it, where its pinned source is. */
export interface EngineBinary {
  name: 'temporal';
  title: string;
  /** What its own answer to `--version` looks like: PATH may hold another program of that name. */
  versionPattern: RegExp;
  goPackage: string;
  /** By `<platform>-<arch>` as Node names them. A machine that is missing here has no digest that could be vouched for. */
  releases: Partial<Record<string, PinnedRelease>>;
  /** The setting that makes this engine unnecessary. */
  setting: string;
  website: string;
}

export const temporalBinary: EngineBinary = {
  name: 'temporal',
  title: 'Temporal',
  versionPattern: /^temporal version .*server/i,
  goPackage: 'github.com/temporalio/cli/cmd/temporal',
  releases: {
    'linux-x64': temporalRelease('linux_amd64', 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d'),
    'linux-arm64': temporalRelease('linux_arm64', 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5'),
    'darwin-x64': temporalRelease('darwin_amd64', 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9'),
    'darwin-arm64': temporalRelease('darwin_arm64', 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415'),
  },
  setting: 'TEMPORAL_ADDRESS',
  website: 'https://docs.temporal.io/cli',
};

function temporalRelease(machine: string, sha256: string): PinnedRelease {
  const url = `https://github.com/temporalio/cli/releases/download/v1.5.1/temporal_cli_1.5.1_${machine}.tar.gz`;
  return { urls: [url], sha256, archive: 'tar.gz' };
}
