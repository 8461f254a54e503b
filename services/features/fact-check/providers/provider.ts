import type { ClaimKind, Verdict } from '../claim.ts';

/** A claim as an external service sees it. */
export interface ProviderClaim {
  text: string;
  kind: ClaimKind;
}

export interface ProviderContext {
  title: string;
  locale: string;
  signal: AbortSignal;
}

/** What the service says of one claim: `claim` is its index, `verdict` null when it knows something but does not decide. */
export interface ProviderVerdict {
  claim: number;
  verdict: Verdict | null;
  message: string;
  url?: string;
  excerpt?: string;
}

/**
 * An external service that judges claims. `check` may leave claims out; it throws ProviderError with a sentence for the report, and
 * a check of facts goes on without it.
 */
export interface FactCheckProvider {
  name: string;
  check(claims: readonly ProviderClaim[], context: ProviderContext): Promise<ProviderVerdict[]>;
}

/** Why a provider gave nothing; the message goes into the report and tells nothing of keys or addresses. */
export class ProviderError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ProviderError';
  }
}
