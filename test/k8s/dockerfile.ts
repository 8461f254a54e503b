/** One instruction of a Dockerfile: its name in capitals, and its arguments with continued lines joined. */
export interface Instruction {
  name: string;
  text: string;
}

/** A build stage: its base, and its instructions. */
export interface Stage {
  name: string;
  from: string;
  instructions: Instruction[];
}

/** Replaces `${NAME}` by the argument's value; unknown names stay, for the shell. */
export function substitute(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

function splitInstructions(source: string): Instruction[] {
  const lines = source.split('\n').filter((line) => !/^\s*#/.test(line));
  const joined = lines.join('\n').replaceAll(/\\\n/g, ' ');
  return joined
    .split('\n')
    .map((line) => /^([A-Z]+)\s+(.*)$/.exec(line.trim()))
    .filter((match) => match !== null)
    .map((match) => ({ name: match[1]!, text: match[2]!.trim() }));
}

/**
 * Parses the stages of a Dockerfile in order, for the part of the language that ours uses (no heredocs, no ADD, no
 * ONBUILD). Throws for an unknown instruction, so that none is ignored.
 */
export function parseDockerfile(source: string): Stage[] {
  const known = 'ARG FROM RUN COPY WORKDIR ENV LABEL USER EXPOSE HEALTHCHECK ENTRYPOINT CMD'.split(' ');
  const globals: Record<string, string> = {};
  const stages: Stage[] = [];
  for (const { name, text } of splitInstructions(source)) {
    if (!known.includes(name)) throw new Error(`The Dockerfile uses ${name}, which this script does not perform.`);
    const current = stages.at(-1);
    if (name === 'FROM') {
      const [from = '', as, alias] = substitute(text, globals).split(/\s+/);
      stages.push({ name: as === 'AS' && alias ? alias : String(stages.length), from, instructions: [] });
    } else if (current) {
      current.instructions.push({ name, text });
    } else {
      const [key = '', value = ''] = text.split('=');
      globals[key] = value;
    }
  }
  return stages;
}

/** Parses `A=b C="d e"` into pairs, for ENV and LABEL. */
export function parsePairs(text: string): [string, string][] {
  return [...text.matchAll(/([\w.-]+)=("[^"]*"|\S+)/g)].map(([, key, value]) => [key!, value!.replaceAll('"', '')]);
}
