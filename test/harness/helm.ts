import { spawnSync } from 'node:child_process';
import path from 'node:path';

const buildScript = path.join(import.meta.dirname, '../k8s/tools/build.sh');

/**
 * The Kubernetes version that charts are rendered for (test/k8s/tools/go.mod); a helm built from source assumes
 * another.
 */
export const kubeVersion = '1.36.1';

export interface Helm {
  program: string;
  /** As helm prints it, such as `v4.3.1`. */
  version: string;
}

function readVersion(program: string): string | null {
  const { status, stdout } = spawnSync(program, ['version', '--template', '{{.Version}}'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** Runs the build; if it fails, returns the last line of its output. */
function build(...options: string[]): { folder: string } | { fault: string } {
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const { status, stdout, stderr } = spawnSync(buildScript, ['helm', ...options], { encoding: 'utf8', stdio });
  if (status === 0) return { folder: stdout.trim() };
  return { fault: (stderr ?? '').trim().split('\n').at(-1) || 'it ended without output' };
}

/**
 * Returns the helm that the chart's checks use: the one that HELM names, else the pinned one that Go builds once
 * (test/k8s/tools/helm), else the one on PATH. `missing` says why Helm was not found.
 */
export function findHelm(): Helm | { missing: string } {
  const given = process.env.HELM;
  if (given) {
    const version = readVersion(given);
    return version ? { program: given, version } : { missing: `HELM names ${given}, which does not run` };
  }
  let built = build('--cached');
  if ('fault' in built) {
    process.stderr.write('Looking for helm; where Go is, it is built once, which takes some minutes.\n');
    built = build();
  }
  const program = 'folder' in built ? path.join(built.folder, 'helm') : 'helm';
  const version = readVersion(program);
  if (version) return { program, version };
  return { missing: `helm is not on this machine and could not be built: ${'fault' in built ? built.fault : program}` };
}

/** Returns the same, but throws the reason if Helm was not found. */
export function requireHelm(): Helm {
  const found = findHelm();
  if ('missing' in found) throw new Error(found.missing);
  return found;
}
