import type { Claim, Evidence, FactCheckSummary, Verdict } from '../types.ts';
import { type FactCheckProvider, type ProviderClaim, ProviderError, type ProviderVerdict } from './provider.ts';

interface ProviderAnswer {
  verdicts: ProviderVerdict[];
  provider: FactCheckSummary['provider'];
}

/**
 * Sends the claims to the provider; if it fails or times out, there are no verdicts and its error is returned for the
 * summary. Throws only the reason of `signal`.
 */
export async function askProvider(
  provider: FactCheckProvider | null,
  claims: readonly ProviderClaim[],
  { title, locale }: { title: string; locale: string },
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<ProviderAnswer> {
  if (!provider) return { verdicts: [], provider: null };
  if (claims.length === 0) return { verdicts: [], provider: { name: provider.name, error: null } };
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const verdicts = await provider.check(claims, {
      title,
      locale,
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    return { verdicts, provider: { name: provider.name, error: null } };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ProviderError)) throw error;
    return { verdicts: [], provider: { name: provider.name, error: error.message } };
  }
}

/** Our own checks take precedence: a provider's verdict counts only where they found no evidence. */
const open: readonly Verdict[] = ['unverifiable', 'unsupported'];

/** Returns the claims with the provider's statements: always as evidence, and as the verdict if there was none. */
export function applyVerdicts(claims: readonly Claim[], verdicts: readonly ProviderVerdict[]): Claim[] {
  const byClaim = new Map(verdicts.map((verdict) => [verdict.claim, verdict]));
  return claims.map((claim, index) => {
    const said = byClaim.get(index);
    if (!said) return claim;
    const decides = said.verdict !== null && said.verdict !== 'unverifiable' && open.includes(claim.verdict);
    const verdict = decides && said.verdict ? said.verdict : claim.verdict;
    return { ...claim, verdict, evidence: [...claim.evidence, presentEvidence(said)] };
  });
}

function presentEvidence({ message, url, excerpt }: ProviderVerdict): Evidence {
  return { type: 'provider', message, ...(url ? { url } : {}), ...(excerpt ? { excerpt } : {}) };
}
