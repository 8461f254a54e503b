import type { GuardedFetcher } from '../../engines/fetch/fetcher.ts';
import type { ClaimKind, Verdict } from './claim.ts';
import type { FactCheckProvider } from './providers/provider.ts';

/** The record that goes out; its members are the contract's ("fact check"), hence snake_case. */
export interface FactCheckReport {
  content_id: string;
  checked_at: string;
  claims: Claim[];
  links: CheckedLink[];
  summary: FactCheckSummary;
}

export type { ClaimKind, Verdict };

export interface Claim {
  /** The sentence that makes the claim, shortened when very long. */
  text: string;
  kind: ClaimKind;
  verdict: Verdict;
  evidence: Evidence[];
}

/** `link`: a linked page; `article`: another place of the text; `arithmetic`: a sum or date; `provider`: the external service; `none`: why there is nothing. */
export interface Evidence {
  type: 'link' | 'article' | 'arithmetic' | 'provider' | 'none';
  url?: string;
  excerpt?: string;
  message: string;
}

export interface CheckedLink {
  url: string;
  ok: boolean;
  /** The HTTP status, null when there was no answer or the URL was refused. */
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
  /** Links left out because the check's number or time was used up. */
  links_not_checked: number;
  /** The text had more claims, or more text, than one check looks at. */
  truncated: boolean;
  provider: { name: string; error: string | null } | null;
}

export interface FactCheckInput {
  contentId: string;
  title: string;
  bodyHtml: string;
  /** BCP 47; decides how numbers and dates are read. */
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
