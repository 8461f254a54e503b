import type { GuardedFetcher } from '../../engines/fetch/fetcher.ts';
import type { ClaimKind, Verdict } from './claim.ts';
import type { FactCheckProvider } from './providers/provider.ts';

/** The API record; its members are the contract's ("fact check"), hence snake_case. */
export interface FactCheckReport {
  content_id: string;
  checked_at: string;
  claims: Claim[];
  links: CheckedLink[];
  summary: FactCheckSummary;
}

export type { ClaimKind, Verdict };

export interface Claim {
  /** The sentence that makes the claim, shortened if very long. */
  text: string;
  kind: ClaimKind;
  verdict: Verdict;
  evidence: Evidence[];
}

/**
 * `link`: a linked page; `article`: another place in the text; `arithmetic`: a sum or date; `provider`: the external
 * service; `none`: why there is no evidence.
 */
export interface Evidence {
  type: 'link' | 'article' | 'arithmetic' | 'provider' | 'none';
  url?: string;
  excerpt?: string;
  message: string;
}

export interface CheckedLink {
  url: string;
  ok: boolean;
  /** The HTTP status, null if there was no response or the URL was refused. */
  status: number | null;
}

export interface FactCheckSummary {
  claims: number;
  supported: number;
  unsupported: number;
  contradicted: number;
  unverifiable: number;
  links: number;
  links_ok: number;
  /** Number of links skipped because of the limits on number and time. */
  links_not_checked: number;
  /** Whether the text has more claims, or more text, than one check covers. */
  truncated: boolean;
  provider: { name: string; error: string | null } | null;
}

export interface FactCheckInput {
  contentId: string;
  title: string;
  bodyHtml: string;
  /** BCP 47; determines how numbers and dates are parsed. */
  locale: string;
  publishedAt?: Date | null;
}

export interface FactCheckDeps {
  fetcher: GuardedFetcher;
  clock: () => Date;
  provider?: FactCheckProvider | null;
  signal?: AbortSignal;
}

export interface FactCheckLimits {
  maxTextChars: number;
  maxClaims: number;
  maxLinks: number;
  maxParallel: number;
  maxPageBytes: number;
  linkTimeoutMs: number;
  /** For all links together. */
  linksTimeoutMs: number;
  providerTimeoutMs: number;
}
