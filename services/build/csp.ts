import { createHash } from 'node:crypto';
import { endOfRawText, endOfTag } from './tags.ts';

/** The scripts that a page may run. */
export interface ScriptSources {
  /** Inline code exactly as between the tags. */
  inline: string[];
  /** Sources of the policy (`'sha256-…'`) for inline code of which only the hash is known. */
  hashes?: readonly string[];
  /** URLs of scripts on other hosts. */
  external: string[];
}

/** Browsers hash the parsed code, in which every line end is one character. */
function hashSource(code: string): string {
  const parsed = code.replaceAll(/\r\n?/g, '\n');
  return `'sha256-${createHash('sha256').update(parsed).digest('base64')}'`;
}

/** Returns the sources of the policy (`'sha256-…'`) for inline code. */
export const hashSources = (inline: readonly string[]): string[] => [...new Set(inline.map(hashSource))];

function originOf(url: string): string[] {
  return URL.canParse(url) ? [new URL(url).origin] : [];
}

/**
 * Returns the Content-Security-Policy of a page. It allows scripts from the site's own files, script entries,
 * components and template text, never scripts inside a body.
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

/** Returns the scripts in the text of a template: inline code without Twig, and URLs on other hosts. */
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
