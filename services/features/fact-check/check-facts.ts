import { setImmediate as giveWay } from 'node:timers/promises';
import { formatTimestamp } from '../../core/timestamp.ts';
import { checkArticle } from './checks/article.ts';
import type { Finding } from './checks/finding.ts';
import { type Candidate, findClaims, shorten } from './find-claims.ts';
import { judgeClaim } from './judge.ts';
import { applyVerdicts, askProvider } from './providers/ask.ts';
import type { ProviderClaim } from './providers/provider.ts';
import { createSourceMap, type SourceMap } from './source-map.ts';
import { fetchSources, type Source } from './sources.ts';
import { extractText } from './text/html-text.ts';
import { createStatementReader, type Statement, type StatementReader } from './text/statements.ts';
import type {
  Claim,
  FactCheckDeps,
  FactCheckInput,
  FactCheckLimits,
  FactCheckReport,
  FactCheckSummary,
  Verdict,
} from './types.ts';

const defaultFactCheckLimits: FactCheckLimits = {
  maxTextChars: 300_000,
  maxClaims: 200,
  maxLinks: 30,
  maxParallel: 4,
  maxPageBytes: 1_048_576,
  linkTimeoutMs: 8_000,
  linksTimeoutMs: 25_000,
  providerTimeoutMs: 25_000,
};

/** Maximum length of a claim that an external provider receives. */
const maxProviderChars = 600;

/**
 * Checks an item: finds its claims, compares them with each other, with the calendar and with the pages it links, and
 * asks the configured external provider. Stores nothing. Throws only when `deps.signal` aborts the check. Source:
 * contract "fact check"; rules: docs/fact-check.md.
 */
export async function checkFacts(
  input: FactCheckInput,
  deps: FactCheckDeps,
  limits: Partial<FactCheckLimits> = {},
): Promise<FactCheckReport> {
  const bounds = { ...defaultFactCheckLimits, ...limits };
  const checkedAt = deps.clock();
  const reader = createStatementReader(input.locale);
  const article = readArticle(input, reader, bounds);
  const sourceMap = createSourceMap(article.blocks, bounds.maxLinks);
  const referenceYear = (input.publishedAt ?? checkedAt).getUTCFullYear();
  const findings = checkArticle(article.statements, reader, referenceYear);
  const { candidates: all, truncated } = listCandidates(article.statements, findings, bounds.maxClaims);

  const wanted = sourceMap.listWanted(all.map(({ statement }) => statement));
  const readerFor = createReaderCache(input.locale, reader);
  const [sources, providerResult] = await Promise.all([
    fetchSources(wanted, { ...bounds, fetcher: deps.fetcher, signal: deps.signal, readerFor }),
    askProvider(deps.provider ?? null, all.map(presentForProvider), input, bounds.providerTimeoutMs, deps.signal),
  ]);
  const judged: Claim[] = [];
  for (const candidate of all) {
    const own = sourcesOf(candidate, sourceMap, sources);
    await readPages(candidate, own);
    judged.push(judgeClaim(candidate, findingsOf(candidate, findings), own));
    await giveWay();
    deps.signal?.throwIfAborted();
  }
  const claims = applyVerdicts(judged, providerResult.verdicts);
  const links = wanted
    .flatMap((link) => sources.get(link.url) ?? [])
    .map(({ url, ok, status }) => ({ url, ok, status }));
  return {
    content_id: input.contentId,
    checked_at: formatTimestamp(checkedAt),
    claims,
    links,
    summary: summarise(claims, {
      links: links.length,
      links_ok: links.filter((link) => link.ok).length,
      links_not_checked: sourceMap.linkCount - links.length,
      truncated: truncated || article.truncated,
      provider: providerResult.provider,
    }),
  };
}

/**
 * Parses the pages for a claim, one at a time. Many claims over large pages take seconds, and the heartbeats of other
 * work must not be delayed.
 */
async function readPages({ kind }: Candidate, sources: readonly Source[]): Promise<void> {
  if (kind === 'quotation') return; // needs only the page's text
  for (const { page } of sources) {
    page?.statements();
    await giveWay();
  }
}

function readArticle(input: FactCheckInput, reader: StatementReader, bounds: FactCheckLimits) {
  const body = extractText(input.bodyHtml, bounds.maxTextChars);
  const title = {
    text: input.title.replace(/\s+/g, ' ').trim().slice(0, bounds.maxTextChars),
    links: [],
    quoted: false,
  };
  const blocks = [title, ...body.blocks];
  return { blocks, statements: [...reader.read(blocks)], truncated: body.truncated };
}

/**
 * Returns the claims in the order of the text. A sentence that contradicts itself counts even if nothing in it is worth
 * looking up.
 */
function listCandidates(statements: readonly Statement[], findings: readonly Finding[], maxClaims: number) {
  const wrong = Map.groupBy(findings, (finding) => finding.statement);
  const candidates: Candidate[] = [];
  for (const statement of statements) {
    const found = findClaims(statement);
    const kinds = new Set((wrong.get(statement) ?? []).map((finding) => finding.kind));
    const missing = [...kinds].filter((kind) => !found.some((candidate) => candidate.kind === kind));
    for (const candidate of [...found, ...missing.map((kind) => ({ statement, kind, assertions: [] }))]) {
      if (candidates.length >= maxClaims) return { candidates, truncated: true };
      candidates.push(candidate);
    }
  }
  return { candidates, truncated: false };
}

function presentForProvider({ kind, statement }: Candidate): ProviderClaim {
  return { kind, text: shorten(statement.text, maxProviderChars) };
}

function findingsOf(candidate: Candidate, findings: readonly Finding[]): Finding[] {
  return findings.filter((finding) => finding.statement === candidate.statement && finding.kind === candidate.kind);
}

function sourcesOf(candidate: Candidate, sourceMap: SourceMap, sources: ReadonlyMap<string, Source>): Source[] {
  return sourceMap.listFor(candidate.statement).flatMap((url) => sources.get(url) ?? []);
}

/**
 * Returns a function that creates readers by the language of a page; a page that declares none is read in the
 * article's.
 */
function createReaderCache(locale: string, own: StatementReader): (language: string | null) => StatementReader {
  const readers = new Map<string, StatementReader>([[locale, own]]);
  return (language) => {
    const key = language && language.length <= 35 ? language : locale;
    const reader = readers.get(key) ?? createStatementReader(key);
    readers.set(key, reader);
    return reader;
  };
}

function summarise(
  claims: readonly Claim[],
  rest: Pick<FactCheckSummary, 'links' | 'links_ok' | 'links_not_checked' | 'truncated' | 'provider'>,
): FactCheckSummary {
  const count = (verdict: Verdict) => claims.filter((claim) => claim.verdict === verdict).length;
  return {
    claims: claims.length,
    supported: count('supported'),
    unsupported: count('unsupported'),
    contradicted: count('contradicted'),
    unverifiable: count('unverifiable'),
    ...rest,
  };
}
