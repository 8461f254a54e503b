import type { EdgeNotifier } from '../../services/engines/edges/notifier.ts';

/** Creates a notifier for code under test without edges; `swapped` lists the sites of its calls. */
export function createEdgeRecorder(): EdgeNotifier & { swapped: string[] } {
  const swapped: string[] = [];
  return { swapped, siteSwapped: async (siteId) => void swapped.push(siteId) };
}
