import { spawn } from 'node:child_process';
import { runMarkerVariable } from './orphans.ts';

export interface Watchdog {
  /** Ends the watchdog without further action, because everything was stopped in order. */
  dismiss(): void;
}

/**
 * Waits for a line (dismissal) or the end of its input (the parent died). In the second case it ends every process that
 * carries the run's marker: TERM, and after at most 8 seconds KILL.
 */
const script = `
read -r _ && exit 0
marked() { grep -lsF -- "$1" /proc/[0-9]*/environ; }
end() { for file in $(marked "$1"); do pid="\${file#/proc/}"; kill -s "$2" "\${pid%/environ}"; done; }
end "$1" TERM
i=0
while [ "$i" -lt 40 ] && [ -n "$(marked "$1")" ]; do sleep 0.2; i=$((i + 1)); done
end "$1" KILL
`;

/**
 * Starts a small shell that, if this process is killed with SIGKILL, survives just long enough to end its children.
 * Only Linux shows the environment of a process in files; elsewhere the next start cleans up (see endOrphans).
 */
export function startWatchdog(marker: string): Watchdog {
  if (process.platform !== 'linux') return { dismiss: () => {} };
  const child = spawn('/bin/sh', ['-c', script, 'fieldstone-watchdog', `${runMarkerVariable}=${marker}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  });
  child.on('error', () => {}); // no shell: the next start cleans up
  child.stdin?.on('error', () => {});
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  return { dismiss: () => child.stdin?.end('done\n') };
}
