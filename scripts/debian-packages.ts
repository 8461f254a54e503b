import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Programs that tests use and npm does not provide, with their Debian packages. */
const wanted = [
  { package: 'chromium', program: 'chromium', path: '/usr/bin/chromium' },
  { package: 'ffmpeg', program: 'ffmpeg', path: '/usr/bin/ffmpeg' },
  { package: 'caddy', program: 'caddy', path: '/usr/bin/caddy' },
];

const isThere = ({ program, path }: (typeof wanted)[number]) =>
  existsSync(path) || spawnSync('which', [program], { stdio: 'ignore' }).status === 0;

/** Installs missing packages with apt if possible; otherwise prints what to install. */
export function installDebianPackages(): void {
  const missing = wanted.filter((one) => !isThere(one)).map((one) => one.package);
  if (missing.length === 0) return;
  const canInstall = process.getuid?.() === 0 && spawnSync('which', ['apt-get'], { stdio: 'ignore' }).status === 0;
  if (!canInstall) {
    process.stdout.write(`Install ${missing.join(' and ')}: without them, some tests are skipped or fail.\n`);
    return;
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...missing]]) {
    spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env });
  }
}
