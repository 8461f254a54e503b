/** One row of a table `| id | rule |` in a document. */
export interface Rule {
  id: string;
  text: string;
  /** `docs/specification.md:12` */
  place: string;
}

/** One test, or group of tests, below a comment `// rule: event.2, reply.401`. */
export interface Proof {
  ids: string[];
  /** As written in the source; `%s` stands for the cases of a table. Empty if none was found. */
  title: string;
  /** `test/contract/jobs.test.ts:12` */
  place: string;
}

const row = /^\| (.+) \| (.+) \|$/;
const idForm = /^[a-z]+\.[1-9]\d*$/;
const comment = /^\s*\/\/ rule: (.+)$/;
const testBegins = /^\s*(?:test|describe)\w*(?:\.each)?[(`<]/;
const titleForm = /\(\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)\s*,\s*(?:async\b|\(|\w+ =>)/;

/** Returns the rules of a document, and an error for each row that has no id. Other tables are not allowed in it. */
export function readRules(file: string, text: string): { rules: Rule[]; faults: string[] } {
  const rules: Rule[] = [];
  const faults: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const [, first = '', second = ''] = row.exec(line) ?? [];
    if (first === '' || first === 'Id' || first === '---') continue;
    const place = `${file}:${index + 1}`;
    const id = /^`(.+)`$/.exec(first)?.[1] ?? '';
    if (!idForm.test(id)) faults.push(`${place}: the row begins with no id like \`event.2\``);
    else if (/partly/i.test(second)) faults.push(`${place}: a rule may not hold partly`);
    else rules.push({ id, text: second, place });
  }
  return { rules, faults };
}

/**
 * Returns the marked tests of one test file, and an error for each comment that is not directly above a test that runs.
 */
export function readProofs(file: string, source: string): { proofs: Proof[]; faults: string[] } {
  const proofs: Proof[] = [];
  const faults: string[] = [];
  const lines = source.split('\n');
  for (const [index, line] of lines.entries()) {
    const list = comment.exec(line)?.[1];
    if (list === undefined) continue;
    const place = `${file}:${index + 2}`;
    const ids = list.split(', ');
    const wrong = ids.filter((id) => !idForm.test(id));
    if (wrong.length > 0)
      faults.push(`${file}:${index + 1}: ${wrong.join(', ')} does not have the form of an id, like event.2`);
    else if (!testBegins.test(lines[index + 1] ?? '')) faults.push(`${place}: no test follows its rules directly`);
    else {
      const [, single, double, template] = titleForm.exec(lines.slice(index + 1).join('\n')) ?? [];
      proofs.push({ ids, title: single ?? double ?? template ?? '', place });
    }
  }
  return { proofs, faults };
}

/**
 * Returns the errors between both: an id that two rows have, a rule without a test, a test with an id that no row has.
 */
export function compare(rules: readonly Rule[], proofs: readonly Proof[]): string[] {
  const known = new Map<string, Rule>();
  const faults: string[] = [];
  for (const rule of rules) {
    const other = known.get(rule.id);
    if (other) faults.push(`${rule.place}: ${rule.id} is the id of ${other.place} already`);
    else known.set(rule.id, rule);
  }
  const proven = new Set(proofs.flatMap(({ ids }) => ids));
  for (const { id, place } of known.values()) if (!proven.has(id)) faults.push(`${place}: no test has the rule ${id}`);
  for (const { ids, place } of proofs) {
    for (const id of ids) if (!known.has(id)) faults.push(`${place}: no document has the rule ${id}`);
  }
  return faults;
}

/** Returns each rule with its tests, for readers. `wanted`: an id, or the word before its dot; empty for all rules. */
export function listRules(rules: readonly Rule[], proofs: readonly Proof[], wanted: string): string {
  const chosen = rules.filter(({ id }) => wanted === '' || id === wanted || id.startsWith(`${wanted}.`));
  return chosen
    .map(({ id, text }) => {
      const tests = proofs.filter(({ ids }) => ids.includes(id)).map(({ place, title }) => `    ${place} ${title}\n`);
      return `${id}: ${text}\n${tests.join('')}`;
    })
    .join('\n');
}
