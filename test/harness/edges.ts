import type { EdgeNotifier } from '../../services/engines/edges/notifier.ts';

/** A notifier for code under test without edges; `swapped` lists the sites that it was told of. */
export function createEdgeRecorder(): EdgeNotifier & { swapped: string[] } {
  const swapped: string[] = [];
  return { swapped, siteSwapped: async (siteId) => void swapped.push(siteId) };
}
