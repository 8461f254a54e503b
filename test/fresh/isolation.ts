import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Enables `lo`, with ip or else with perl, which every Debian has (ioctl SIOCSIFFLAGS: up and running), then runs the
 * rest.
 */
const insideScript = `
{ ip link set lo up || perl -e '$lo = pack("a16s", "lo", 0x49); socket(S, 2, 2, 0) && ioctl(S, 0x8914, $lo) or die'; } 2>/dev/null &&
exec "$@"`;

/**
 * Returns the command prefix that removes every network but loopback: a network namespace, which root can create on
 * Linux. `missing` says why that is not possible.
 */
export function findIsolation(): { command: string[] } | { missing: string } {
  if (process.platform !== 'linux') return { missing: 'only Linux has network namespaces' };
  if (process.getuid?.() !== 0) return { missing: 'only root may make a network namespace' };
  const command = ['unshare', '--net', 'sh', '-c', insideScript, 'sh'];
  const [program = '', ...args] = command;
  const tried = spawnSync(program, [...args, 'true'], { encoding: 'utf8' });
  if (tried.status === 0) return { command };
  return { missing: `a network namespace could not be made: ${(tried.stderr || String(tried.error)).trim()}` };
}

/** Reads the kernel's counters of packets without a route: IPv4 in rows, IPv6 in lines. */
function readCounters(): Map<string, number> {
  const counters = new Map<string, number>();
  const rows = readFileSync('/proc/net/snmp', 'utf8').trim().split('\n');
  for (let at = 0; at + 1 < rows.length; at += 2) {
    const [names, values] = [rows[at]!.split(' '), rows[at + 1]!.split(' ')];
    for (const [index, name] of names.entries()) if (index > 0) counters.set(names[0]! + name, Number(values[index]));
  }
  for (const line of readFileSync('/proc/net/snmp6', 'utf8').trim().split('\n')) {
    const [name = '', value] = line.split(/\s+/);
    counters.set(name, Number(value));
  }
  return counters;
}

/**
 * Returns how often a process of this network namespace has tried to reach another host (no route), or to query a name
 * server on loopback (nothing listened on the UDP port). In a namespace with only `lo`, both stay 0 for a program that
 * needs no network.
 */
export function countForeignAttempts(): number {
  const counters = readCounters();
  const names = ['Ip:OutNoRoutes', 'Udp:NoPorts', 'Ip6OutNoRoutes', 'Udp6NoPorts'];
  return names.reduce((sum, name) => sum + (counters.get(name) ?? 0), 0);
}
