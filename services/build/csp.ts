import { createHash } from 'node:crypto';
import { endOfRawText, endOfTag } from './tags.ts';

/** What may run on a page. */
export interface ScriptSources {
  /** Inline code as it stands between the tags. */
  inline: string[];
  /** Inline code that is known by its hash alone, as a source of the policy. */
  hashes?: readonly string[];
  /** Addresses of scripts on other hosts. */
  external: string[];
}

/** Browsers hash what they have parsed, in which every line end is one character. */
function hashSource(code: string): string {
  const parsed = code.replaceAll(/\r\n?/g, '\n');
  return `'sha256-${createHash('sha256').update(parsed).digest('base64')}'`;
}

/** Inline code as sources of a policy. */
export const hashSources = (inline: readonly string[]): string[] => [...new Set(inline.map(hashSource))];

function originOf(address: string): string[] {
  return URL.canParse(address) ? [new URL(address).origin] : [];
}

/**
 * The Content-Security-Policy of a page: scripts run only when the site's own files, an editor's script entry, a component
 * or the text of a template brings them; never because of something inside a body.
 */
export function contentSecurityPolicy({ inline, hashes: known = [], external }: ScriptSources): string {
  const origins = [...new Set(external.flatMap(originOf))].sort();
  const hashes = [...new Set([...hashSources(inline), ...known])].sort();
  return [
    "default-src 'self'",
    ["script-src 'self'", ...hashes, ...origins].join(' '),
    "style-src 'self' 'unsafe-inline' https:",
    'img-src * data: blob:',
    'media-src * data: blob:',
    "font-src 'self' https: data:",
    "connect-src 'self' https:",
    'frame-src https:',
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self' https:",
    "frame-ancestors 'self'",
  ].join('; ');
}

const scriptBeginning = /<script(?=[\s/>])/gi;
const sourceAttribute = /\ssrc\s*=\s*["']?(https:\/\/[^\s"'>]+)/i;

/** Scripts that the text of a template brings: inline code without Twig in it, and addresses of other hosts. */
export function templateScripts(template: string): ScriptSources {
  const found: ScriptSources = { inline: [], external: [] };
  const next = new RegExp(scriptBeginning);
  for (let tag = next.exec(template); tag; tag = next.exec(template)) {
    const start = endOfTag(template, tag.index);
    const end = start < 0 ? -1 : endOfRawText(template, 'script', start);
    if (end < 0) break;
    next.lastIndex = end;
    const code = template.slice(start, end);
    const source = sourceAttribute.exec(template.slice(tag.index, start))?.[1];
    if (source) found.external.push(source);
    else if (code && !/\{[{%#]/.test(code)) found.inline.push(code);
  }
  return found;
}
