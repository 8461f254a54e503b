import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../../services/engines-local/ports.ts';

/** One worker process, like the edge; open files are cached, so that the page comes from memory. */
const settingsOf = (folder: string, port: number) => `
daemon off;
worker_processes 1;
error_log stderr crit;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  sendfile on;
  keepalive_requests 1000000000;
  open_file_cache max=16;
  types { text/html html; }
  charset utf-8;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  server { listen 127.0.0.1:${port}; root ${folder}/pages; }
}
`;

/**
 * Starts the machine's nginx (Debian: `nginx-light`) with one worker that serves the page at `/`, on a free port of the
 * loopback interface. Returns why it cannot be used as a text.
 */
export async function startNginx(page: string) {
  const { error } = spawnSync('nginx', ['-v']);
  if (error) return 'nginx is not installed';
  const folder = mkdtempSync(path.join(os.tmpdir(), 'fieldstone-nginx-'));
  const [port, pages] = [await findFreePort(), path.join(folder, 'pages')];
  mkdirSync(pages);
  writeFileSync(path.join(pages, 'index.html'), page);
  const settings = path.join(folder, 'nginx.conf');
  // started by root, its worker would otherwise be another user, who may not read the folder
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(settings, user + settingsOf(folder, port));
  const child: ChildProcess = spawn('nginx', ['-c', settings], { stdio: ['ignore', 'ignore', 'inherit'] });
  const stop = async () => {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}/`;
  for (let tries = 0; tries < 100; tries++) {
    const response = await fetch(url).catch(() => undefined);
    if ((await response?.text()) === page) return { url, stop };
    await sleep(50);
  }
  await stop();
  return 'nginx did not serve the page';
}
