import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { CliError, splitList } from '../run-command.ts';

/** Options that name members of an item. */
export interface MemberOptions {
  from?: string;
  title?: string;
  body?: string;
  type?: string;
  slug?: string;
  locale?: string;
  status?: string;
  scheduledAt?: string;
  excerpt?: string;
  tags?: string;
}

const wrongUsage = (message: string) => new CliError(message, { code: 'usage' });

/** Reads a file as text; `-` is standard input. Throws a CliError `not_found`. */
async function readText(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CliError(`The file ${file} cannot be read.`, { code: 'not_found', cause: error });
  }
}

async function readJson(file: string): Promise<Record<string, unknown>> {
  let members: unknown;
  try {
    members = JSON.parse(await readText(file));
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`${file} is not valid JSON.`, { cause: error });
  }
  if (typeof members === 'object' && members !== null && !Array.isArray(members))
    return members as Record<string, unknown>;
  throw new CliError(`${file} must contain a JSON object.`);
}

async function readBody(file: string): Promise<Record<string, string>> {
  const extension = path.extname(file).toLowerCase();
  if (['.html', '.htm'].includes(extension)) return { body_html: await readText(file) };
  if (['.md', '.markdown'].includes(extension)) return { body_markdown: await readText(file) };
  throw wrongUsage(`--body takes a file that ends in .html or .md, not "${file}".`);
}

/**
 * Returns the members of an item that the options name; single options replace members of `--from`. Throws a CliError
 * `usage` if they name none. The service checks the values.
 */
export async function readMembers(options: MemberOptions): Promise<Record<string, unknown>> {
  const { from, body, tags, scheduledAt, title, type, slug, locale, status, excerpt } = options;
  const named = { title, type, slug, locale, status, excerpt, scheduled_at: scheduledAt };
  const members = {
    ...(from === undefined ? {} : await readJson(from)),
    ...(body === undefined ? {} : await readBody(body)),
    ...(tags === undefined ? {} : { tags: splitList(tags) }),
    ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)),
  };
  if (Object.keys(members).length === 0) throw wrongUsage('Name at least one member, such as --title, or use --from.');
  return members;
}
