import type { Finding } from './checks/finding.ts';
import { type Assertion, type Candidate, presentClaim, shorten } from './find-claims.ts';
import { matchPage } from './match.ts';
import type { Source } from './sources.ts';
import type { Claim, Evidence, Verdict } from './types.ts';

const maxEvidence = 12;
const maxExcerptChars = 300;
/** A claim gets the worst verdict of its parts. */
const severity: Verdict[] = ['supported', 'unverifiable', 'unsupported', 'contradicted'];

/**
 * Returns the verdict on one claim with its evidence. A calculation that fails counts whatever a source says; of two
 * figures in the text that contradict each other, one that a source confirms is supported. Each figure, date or phrase
 * is looked up in the sources, nearest first. Rules: docs/fact-check.md.
 */
export function judgeClaim(candidate: Candidate, findings: readonly Finding[], sources: readonly Source[]): Claim {
  const own = findings.map(presentFinding);
  const parts = candidate.assertions.map((assertion) => judgeAssertion(assertion, candidate, sources));
  const isBorneOut = parts.length > 0 && parts.every((part) => part.verdict === 'supported');
  const isWrong = findings.some((finding) => finding.type === 'arithmetic' || !isBorneOut);
  const verdicts: Verdict[] = isWrong ? ['contradicted'] : parts.map((part) => part.verdict);
  const verdict = severity.findLast((step) => verdicts.includes(step)) ?? 'unverifiable';
  const lookedUp = parts.flatMap((part) => part.evidence);
  const evidence = [...own, ...(own.length > 0 ? lookedUp.filter((item) => item.type !== 'none') : lookedUp)];
  return presentClaim(candidate, verdict, removeRepeats(evidence).slice(0, maxEvidence));
}

function presentFinding(finding: Finding): Evidence {
  return { type: finding.type, message: finding.message, ...(finding.excerpt ? { excerpt: finding.excerpt } : {}) };
}

function judgeAssertion(assertion: Assertion, candidate: Candidate, sources: readonly Source[]) {
  if (sources.length === 0)
    return settle('unverifiable', [{ type: 'none', message: 'The text links no source for this.' }]);
  const { what, contains, contain } = describe(assertion);
  const evidence: Evidence[] = [];
  let verdict: Verdict = 'unverifiable';
  for (const source of sources) {
    if (!source.page) {
      evidence.push({
        type: 'link',
        url: source.url,
        message: `The linked page could not be read. ${source.problem}`.trim(),
      });
      if (source.gone && verdict === 'unverifiable') verdict = 'unsupported';
      continue;
    }
    const match = matchPage(assertion, candidate, source.page);
    if (match.result === 'silent') {
      const partly = source.page.truncated ? 'The part of the linked page that was read' : 'The linked page';
      evidence.push({ type: 'link', url: source.url, message: `${partly} does not ${contain}.` });
      if (!source.page.truncated && verdict === 'unverifiable') verdict = 'unsupported';
      continue;
    }
    const excerpt = shorten(match.excerpt, maxExcerptChars);
    if (match.result === 'same')
      return settle('supported', [{ type: 'link', url: source.url, excerpt, message: `The linked page ${contains}.` }]);
    verdict = 'contradicted';
    evidence.push({
      type: 'link',
      url: source.url,
      excerpt,
      message: `The linked page says ${match.found}, not ${what}.`,
    });
  }
  return settle(verdict, evidence);
}

/** Returns the assertion as a noun phrase, with the verb of a page that confirms it in singular and plural. */
function describe(assertion: Assertion): { what: string; contains: string; contain: string } {
  const text = shorten(assertion.text, 100);
  if (assertion.kind === 'attribution')
    return { what: text, contains: `has ${text} saying this`, contain: `have ${text} saying this` };
  const what =
    assertion.kind === 'quotation' ? 'the quotation' : assertion.kind === 'superlative' ? `"${text}" of this` : text;
  return { what, contains: `contains ${what}`, contain: `contain ${what}` };
}

function settle(verdict: Verdict, evidence: Evidence[]): { verdict: Verdict; evidence: Evidence[] } {
  return { verdict, evidence };
}

function removeRepeats(evidence: readonly Evidence[]): Evidence[] {
  const seen = new Map(evidence.map((item) => [`${item.type} ${item.url} ${item.message} ${item.excerpt}`, item]));
  return [...seen.values()];
}
