import type { FactCheckInput } from '../contracts/fact-check.ts';
import type { ActorRuntime } from '../contracts/runtime.ts';

/** Runs one fact check for a waiting request. Resolves to the report as JSON text. */
export async function factCheck(runtime: ActorRuntime, input: FactCheckInput): Promise<string> {
  return runtime.call('checkFacts', input);
}
