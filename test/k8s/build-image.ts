// build-image.ts BASE OUT.tar [ROOT]: executes the Dockerfile on copies of the Debian root BASE (see image.sh).
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseDockerfile, parsePairs, type Stage, substitute } from './dockerfile.ts';
import { type ImageConfig, writeImage } from './image-archive.ts';

const project = path.join(import.meta.dirname, '../..');
const imageName = 'localhost/fieldstone:test';
const [base = '', out = '', keepRoot] = process.argv.slice(2);
const work = mkdtempSync(path.join(path.dirname(base), 'build-'));

interface Built {
  root: string;
  config: ImageConfig;
}

/** Copies the build context: the paths that .dockerignore admits. */
function stageContext(): string {
  const folder = path.join(work, 'context');
  for (const line of readFileSync(path.join(project, '.dockerignore'), 'utf8').split('\n')) {
    if (line.startsWith('!'))
      cpSync(path.join(project, line.slice(1)), path.join(folder, line.slice(1)), { recursive: true });
  }
  return folder;
}

function copyRoot(from: string, name: string): string {
  const root = path.join(work, name);
  execFileSync('cp', ['-a', '--reflink=auto', from, root]);
  return root;
}

/** Installs Node and npm in /usr/local from the package registry, as in Node's own image, which is based on Debian. */
function layNode(root: string, version: string): void {
  const program = path.join(project, 'node_modules/node/bin/node');
  const found = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim();
  if (found !== `v${version}`)
    throw new Error(`The Dockerfile wants Node ${version}, and the one at hand is ${found}.`);
  execFileSync('npm', ['install', '--global', '--silent', '--prefix', path.join(root, 'usr/local'), 'npm@11'], {
    stdio: 'inherit',
  });
  cpSync(program, path.join(root, 'usr/local/bin/node'));
}

function startStage({ from, name }: Stage, built: Map<string, Built>): Built {
  const earlier = built.get(from);
  if (earlier) return { root: copyRoot(earlier.root, name), config: structuredClone(earlier.config) };
  const root = copyRoot(base, name);
  const node = /^node:([\d.]+)-bookworm-slim$/.exec(from);
  if (node) layNode(root, node[1]!);
  else if (from !== 'debian:bookworm-slim') throw new Error(`This script cannot make ${from}.`);
  return { root, config: { Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'] } };
}

/**
 * Runs a shell line inside a root, with this machine's DNS configuration and certificates, which are removed
 * afterwards.
 */
function runInside({ root, config }: Built, line: string): void {
  const script = `
    set -e
    mount -t proc proc "$ROOT/proc"; mount --rbind /dev "$ROOT/dev"
    mkdir -p "$ROOT/run/build"; mount -t tmpfs tmpfs "$ROOT/run/build"
    cat /etc/ssl/certs/ca-certificates.crt > "$ROOT/run/build/ca.crt" 2>/dev/null || true
    cp /etc/resolv.conf "$ROOT/run/build/resolv.conf"; touch "$ROOT/etc/resolv.conf"
    mount --bind "$ROOT/run/build/resolv.conf" "$ROOT/etc/resolv.conf"
    exec chroot "$ROOT" /bin/sh -c 'cd "$1"; eval "$2"' sh "$WORKDIR" "$LINE"`;
  const own = Object.fromEntries((config.Env ?? []).map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
  const result = spawnSync('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...own,
      PATH: own.PATH,
      HOME: '/root',
      DEBIAN_FRONTEND: 'noninteractive',
      NODE_EXTRA_CA_CERTS: '/run/build/ca.crt',
      ROOT: root,
      WORKDIR: config.WorkingDir ?? '/',
      LINE: line,
    },
  });
  rmSync(path.join(root, 'run/build'), { recursive: true, force: true });
  if (result.status !== 0) throw new Error(`This step of the Dockerfile failed: ${line}`);
}

function copyInto({ root, config }: Built, text: string, context: string, built: Map<string, Built>): void {
  const words = text.split(/\s+/);
  const from = words[0]?.startsWith('--from=') ? built.get(words.shift()!.slice(7))!.root : context;
  const target = words.pop()!;
  const absolute = path.join(root, path.resolve(config.WorkingDir ?? '/', target));
  for (const source of words) {
    const file = path.join(from, source);
    const folder = statSync(file).isDirectory();
    // like COPY: the contents of a folder, but a file under its own name if the target is a folder
    const destination = !folder && target.endsWith('/') ? path.join(absolute, path.basename(source)) : absolute;
    mkdirSync(path.dirname(destination), { recursive: true });
    if (folder) mkdirSync(destination, { recursive: true });
    execFileSync('cp', ['-a', '--no-preserve=ownership', folder ? `${file}/.` : file, destination]);
  }
}

function perform(stage: Stage, state: Built, context: string, built: Map<string, Built>): void {
  const values: Record<string, string> = {};
  const { config } = state;
  for (const { name, text: raw } of stage.instructions) {
    const text = name === 'RUN' ? raw : substitute(raw, values);
    process.stderr.write(`[${stage.name}] ${name} ${text.slice(0, 100)}\n`);
    if (name === 'ARG') values[text.split('=')[0]!] = text.split('=')[1] ?? '';
    else if (name === 'RUN') runInside(state, text);
    else if (name === 'COPY') copyInto(state, text, context, built);
    else if (name === 'WORKDIR') {
      config.WorkingDir = text;
      mkdirSync(path.join(state.root, text), { recursive: true });
    } else if (name === 'ENV') config.Env = [...(config.Env ?? []), ...parsePairs(text).map((pair) => pair.join('='))];
    else if (name === 'LABEL') config.Labels = { ...config.Labels, ...Object.fromEntries(parsePairs(text)) };
    else if (name === 'USER') config.User = text;
    else if (name === 'EXPOSE')
      config.ExposedPorts = Object.fromEntries(text.split(/\s+/).map((port) => [`${port}/tcp`, {}]));
    else if (name === 'ENTRYPOINT') config.Entrypoint = JSON.parse(text) as string[];
    else if (name === 'CMD') config.Cmd = JSON.parse(text) as string[];
    else if (name === 'HEALTHCHECK') {
      config.Healthcheck = { Test: ['CMD', ...(JSON.parse(text.slice(text.indexOf('['))) as string[])] };
    }
  }
}

try {
  const context = stageContext();
  const stages = parseDockerfile(readFileSync(path.join(project, 'Dockerfile'), 'utf8'));
  const built = new Map<string, Built>();
  let last: Built | undefined;
  for (const stage of stages) {
    last = startStage(stage, built);
    perform(stage, last, context, built);
    built.set(stage.name, last);
  }
  if (!last) throw new Error('The Dockerfile has no stage.');
  const size = await writeImage(imageName, last.root, last.config, out);
  writeFileSync(`${out}.json`, JSON.stringify({ name: imageName, ...size, config: last.config }, null, 2));
  if (keepRoot) {
    rmSync(keepRoot, { recursive: true, force: true });
    renameSync(last.root, keepRoot);
  }
  const mebibytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`;
  process.stdout.write(`${imageName}: ${mebibytes(size.bytes)}, ${mebibytes(size.compressedBytes)} compressed\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
