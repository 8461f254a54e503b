import type { ClaimKind, Verdict } from '../claim.ts';

/** A claim as an external service receives it. */
export interface ProviderClaim {
  text: string;
  kind: ClaimKind;
}

export interface ProviderContext {
  title: string;
  locale: string;
  signal: AbortSignal;
}

/** The service's statement on one claim: `claim` is its index, `verdict` null if it has information but no decision. */
export interface ProviderVerdict {
  claim: number;
  verdict: Verdict | null;
  message: string;
  url?: string;
  excerpt?: string;
}

/**
 * An external service that judges claims. `check` may omit claims; it throws ProviderError with a sentence for the
 * report, and the fact check continues without it.
 */
export interface FactCheckProvider {
  name: string;
  check(claims: readonly ProviderClaim[], context: ProviderContext): Promise<ProviderVerdict[]>;
}

/** Why a provider returned nothing; the message is shown in the report and contains no keys or URLs. */
export class ProviderError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ProviderError';
  }
}
