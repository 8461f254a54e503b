import { proxyActivities } from '@temporalio/workflow';
import type { FactCheckActivities, FactCheckOrder } from '../contracts/fact-check.ts';
import { factCheckPolicy } from '../policies/index.ts';

const { checkFacts } = proxyActivities<FactCheckActivities>(factCheckPolicy);

/** One check, for a request that waits for it. */
export async function factCheck(order: FactCheckOrder): Promise<string> {
  return checkFacts(order);
}
