/**
 * A program that serves Temporal: Temporal's own command line, or the server of `go/temporal`. Their arguments differ.
 */
export interface TemporalProgram {
  file: string;
  kind: 'cli' | 'server';
}

/** The expected output of `--version`: PATH may contain another program of that name. */
export const versionPatterns: Record<TemporalProgram['kind'], RegExp> = {
  cli: /^temporal version .*server/i,
  server: /^fieldstone temporal server /,
};

/** An official release, a `.tar.gz`, for one kind of machine. */
export interface PinnedRelease {
  url: string;
  sha256: string;
}

function release(machine: string, sha256: string): PinnedRelease {
  return {
    url: `https://github.com/temporalio/cli/releases/download/v1.5.1/temporal_cli_1.5.1_${machine}.tar.gz`,
    sha256,
  };
}

/** By `<platform>-<arch>` as Node names them. Only machines with a verified digest are listed. */
export const temporalReleases: Partial<Record<string, PinnedRelease>> = {
  'linux-x64': release('linux_amd64', 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d'),
  'linux-arm64': release('linux_arm64', 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5'),
  'darwin-x64': release('darwin_amd64', 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9'),
  'darwin-arm64': release('darwin_arm64', 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415'),
};
