import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '../../../services/engines-local/ports.ts';
import type { Cluster } from '../cluster.ts';
import { writeImage } from '../image-archive.ts';

const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'fieldstone');
const packages = ['containerd', 'runc', 'containernetworking-plugins'];

/** Unpacks Debian's container runtime into a folder instead of installing it. */
export function unpackRuntime(): string {
  const folder = path.join(cache, 'container-runtime');
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  execFileSync(
    'sh',
    [
      '-c',
      `apt-get download -qq ${packages.join(' ')} 2>/dev/null && for file in *.deb; do dpkg -x "$file" .; done && rm ./*.deb`,
    ],
    {
      cwd: draft,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  renameSync(draft, folder);
  return folder;
}

/** Creates the pause image, which holds a pod together: one static program. */
export async function makePauseImage(bin: string, folder: string): Promise<string> {
  const root = path.join(folder, 'pause-root');
  mkdirSync(root);
  cpSync(path.join(bin, 'pause'), path.join(root, 'pause'));
  const out = path.join(folder, 'pause.tar');
  await writeImage('localhost/pause:1', root, { Entrypoint: ['/pause'], User: '10001:10001' }, out);
  rmSync(root, { recursive: true });
  return out;
}

/** Starts containerd and a kubelet with these images; pods may use the machine's network. */
export async function startKubelet(cluster: Cluster, runtime: string, images: string[]): Promise<void> {
  const script = path.join(import.meta.dirname, 'start-kubelet.sh');
  const port = String(await findFreePort());
  const spaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  cluster.start('node', '/usr/bin/unshare', [...spaces, 'bash', script, cluster.bin, runtime, ...images], {
    KUBELET_PORT: port,
  });
  await cluster.waitFor('the kubelet', () => cluster.kubectl(['get', 'node', '127.0.0.1']), 300);
  cluster.kubectl(['create', '-f', path.join(import.meta.dirname, 'host-network.yaml')]);
}

/** Removes the kubelet's control groups, which stay, empty, after it is killed. */
export function removeControlGroups(): void {
  execFileSync('sh', [
    '-c',
    'for group in /sys/fs/cgroup/kubepods /sys/fs/cgroup/*/kubepods; do [ ! -d "$group" ] || find "$group" -depth -type d -exec rmdir {} + ; done 2>/dev/null; true',
  ]);
}
