import type { NumberFigure } from '../text/numbers.ts';
import type { Statement } from '../text/statements.ts';

/** Maximum rounding error of a sum of shares, in percentage points. */
const roundingPoints = 1.5;

const exclusive =
  /\b(?:split|divided|breakdown|broken down|made up|consist\w*|compris\w*|compos\w*|allocat\w*|respectively|distribut\w*|remaining|remainder|the rest|votes?|voted|shares?|of the total|pie|aufgeteilt|restlichen|verteil\w*|répart\w*|restant\w*|reparti\w*)\b/i;
const overlapping =
  /\b(?:rose|rise|rises|rising|fell|fall|falls|grew|grow|grows|growth|increase\w*|decrease\w*|decline\w*|drop\w*|gain\w*|lost|up|down|more than|less than|compared|while|multiple|several answers|also|both|margin|turnout|discount|interest|inflation)\b/i;
const people =
  /^\s?(?:of\s(?:all\s|the\s|its\s|our\s|their\s|those\s)*)?(?:respondents?|people|voters?|residents?|population|inhabitants|participants?|users|customers|households?|students?|pupils|women|men|children|adults|members|employees|workers|visitors|patients|readers|citizens|countries|cases|befragten?|menschen|personnes|personas)\b/i;

/**
 * Finds shares above the whole, shares that do not add up to the whole, and parts that do not add up to their total, in
 * one sentence.
 */
export function checkSums(statement: Statement): string[] {
  const checks = [checkShareOfPeople, checkShares, checkRatios, checkTotals, checkParts, checkChange];
  return checks.flatMap((check) => check(statement));
}

/** Checks shares of people: "120 % of respondents" is impossible; "120 % of last year's sales" is not. */
function checkShareOfPeople({ text, numbers }: Statement): string[] {
  return numbers
    .filter((figure) => figure.unit === 'percent' && value(figure) > 100 && people.test(text.slice(figure.end)))
    .map((figure) => `${figure.text} is more than all of them.`);
}

function checkShares({ text, numbers }: Statement): string[] {
  const shares = numbers.filter((figure) => figure.unit === 'percent');
  if (shares.length < 2 || !exclusive.test(text) || overlapping.test(text)) return [];
  const sum = round(shares.reduce((total, figure) => total + value(figure), 0));
  const hasRest = /\b(?:remaining|remainder|rest|restlichen|restant\w*)\b/i.test(text);
  const isWrong = sum > 100 + roundingPoints || (hasRest && sum < 100 - roundingPoints && restIsCounted(text, shares));
  return isWrong ? [`The shares add up to ${sum} %, not 100 %.`] : [];
}

/** Returns whether the rest is one of the shares: "the remaining 30 %". */
function restIsCounted(text: string, shares: readonly NumberFigure[]): boolean {
  return shares.some((figure) =>
    /\b(?:remaining|remainder|rest|restlichen|restant\w*)\b[^%]{0,24}$/i.test(
      text.slice(Math.max(0, figure.start - 40), figure.start),
    ),
  );
}

/**
 * Checks "30 of 40 respondents (80 %)": the share must match the two counts, and the part must not exceed the whole.
 */
function checkRatios({ text, numbers }: Statement): string[] {
  const problems: string[] = [];
  for (const [index, part] of numbers.entries()) {
    const whole = numbers[index + 1];
    if (!whole || part.unit !== '' || whole.unit !== '' || part.isOrdinal || whole.isOrdinal) continue;
    const between = text.slice(part.end, whole.start);
    if (!/^\s(?:out\sof|of|von|sur|de)\s(?:the\s|all\s|its\s)?$/i.test(between)) continue;
    const isOutOf = /out/i.test(between);
    if (isOutOf && value(part) > value(whole)) problems.push(`${part.text} is more than ${whole.text}.`);
    const share = numbers[index + 2];
    const follows = share && /^[^.;]{0,40}[(,]\s?(?:or\s|about\s|i\.e\.\s)?$/i.test(text.slice(whole.end, share.start));
    if (share?.unit === 'percent' && follows && value(whole) > 0) {
      const actual = round((value(part) / value(whole)) * 100);
      if (Math.abs(actual - value(share)) > Math.max(1, share.tolerance))
        problems.push(`${part.text} of ${whole.text} is ${actual} %, not ${share.text}.`);
    }
  }
  return problems;
}

/** Checks "12 men and 15 women, 30 people in total": parts in one list, and an explicit total. */
function checkTotals({ text, numbers }: Statement): string[] {
  if (
    /\b(?:including|among them|such as|of which|of whom|some of|average|per|each|darunter|dont|incluid[oa]s)\b/i.test(
      text,
    )
  )
    return [];
  const counts = numbers.filter((figure) => !figure.isOrdinal && figure.unit !== 'percent');
  const totals = counts.filter((figure) => isTotal(text, figure));
  const [total] = totals;
  const parts = counts.filter((figure) => figure !== total);
  if (totals.length !== 1 || !total || parts.length < 2 || parts.some((figure) => figure.unit !== total.unit))
    return [];
  if (!isList(text, parts)) return [];
  const sum = round(parts.reduce((all, figure) => all + value(figure), 0));
  const tolerance = Math.max(
    total.tolerance,
    ...parts.map((figure) => figure.tolerance),
    Math.abs(value(total)) * 1e-9,
  );
  return Math.abs(sum - value(total)) <= tolerance ? [] : [`The parts add up to ${sum}, not ${round(value(total))}.`];
}

/** Checks "rose from 100 to 150, or 30 %": the change must match the two figures. */
function checkChange({ text, numbers }: Statement): string[] {
  const shares = numbers.filter((figure) => figure.unit === 'percent');
  const values = numbers.filter((figure) => figure.unit !== 'percent' && !figure.isOrdinal);
  const [from, to] = values;
  const [share] = shares;
  if (values.length !== 2 || !from || !to || shares.length !== 1 || !share) return [];
  const sameUnit = from.unit === to.unit || from.unit === '';
  const isFromTo =
    /\bfrom\s$/i.test(text.slice(0, from.start)) && /^[^,.;]{0,24}\sto\s$/i.test(text.slice(from.end, to.start));
  const isChange = /\b(?:ris|rose|grew|grow|gain|increas|up|fell|fall|declin|decreas|drop|down|lost|by)\w*\b/i.test(
    text,
  );
  if (!sameUnit || !isFromTo || !isChange || value(from) <= 0) return [];
  const actual = round((value(to) / value(from) - 1) * 100);
  const allowed = Math.max(1.5, Math.abs(actual) * 0.02) + share.tolerance;
  const isOff = Math.abs(Math.abs(actual) - value(share)) > allowed;
  return isOff ? [`From ${from.text} to ${to.text} is ${actual} %, not ${share.text}.`] : [];
}

/** Checks "500 employees, 200 in Berlin and 400 in Paris": parts that exceed their whole. */
function checkParts({ text, numbers }: Statement): string[] {
  const counts = numbers.filter((figure) => !figure.isOrdinal && figure.unit === '');
  const [whole, ...parts] = counts;
  if (!whole || whole.nouns.length === 0 || parts.length < 2 || !isList(text, parts)) return [];
  const opensList = /^[^,.;:()\d]{1,40}(?:[,:(–—]|of (?:whom|which))\s?$/i.test(text.slice(whole.end, parts[0]?.start));
  const arePlaced = parts.every((figure) =>
    /^\s(?:in|at|from|of them|of these|abroad)\b/i.test(text.slice(figure.end)),
  );
  const sum = parts.reduce((all, figure) => all + value(figure), 0);
  const isMore = sum > value(whole) + Math.max(whole.tolerance, ...parts.map((figure) => figure.tolerance));
  return opensList && arePlaced && isMore ? [`The parts add up to ${round(sum)}, more than ${whole.text}.`] : [];
}

function isTotal(text: string, figure: NumberFigure): boolean {
  const before = text.slice(Math.max(0, figure.start - 32), figure.start);
  const after = text.slice(figure.end, figure.end + 40);
  const named =
    /\b(?:total(?:l?ing)?(?:\sof)?|altogether|in all|sum of|insgesamt|zusammen|au total)[\s,:]{1,2}(?:is\s|was\s|of\s)?$/i;
  return (
    named.test(before) ||
    /^[^,.;:\d]{0,32}\b(?:in total|in all|altogether|all told|insgesamt|au total|en total)\b/i.test(after)
  );
}

/** Returns whether parts are a list: only counted things, commas and "and" between them. */
function isList(text: string, parts: readonly NumberFigure[]): boolean {
  return parts.slice(1).every((figure, index) => {
    const between = text.slice(parts[index]?.end ?? 0, figure.start);
    return /^[^,.;:()]{0,40}(?:,|,?\s(?:and|plus|und|et|y)\s|\s\+\s)\s?(?:and\s|und\s)?$/iu.test(between);
  });
}

function value(figure: NumberFigure): number {
  return figure.values[0] ?? 0;
}

function round(number: number): number {
  return Math.round(number * 100) / 100;
}
