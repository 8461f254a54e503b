import { createHash } from 'node:crypto';

/** What may run on a page. */
export interface ScriptSources {
  /** Inline code, exactly as it stands between the tags. */
  inline: string[];
  /** Addresses of scripts on other hosts. */
  external: string[];
}

function hashSource(code: string): string {
  return `'sha256-${createHash('sha256').update(code).digest('base64')}'`;
}

function originOf(address: string): string[] {
  return URL.canParse(address) ? [new URL(address).origin] : [];
}

/**
 * The Content-Security-Policy of a page: scripts run only when the site's own files, an editor's script entry, a component
 * or the text of a template brings them; never because of something inside a body.
 */
export function contentSecurityPolicy({ inline, external }: ScriptSources): string {
  const origins = [...new Set(external.flatMap(originOf))].sort();
  const hashes = [...new Set(inline.map(hashSource))].sort();
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

const scriptElement = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi;
const sourceAttribute = /\ssrc\s*=\s*["']?(https:\/\/[^\s"'>]+)/i;

/** Scripts that the text of a template brings: inline code without Twig in it, and addresses of other hosts. */
export function templateScripts(template: string): ScriptSources {
  const found: ScriptSources = { inline: [], external: [] };
  for (const [, attributes = '', code = ''] of template.matchAll(scriptElement)) {
    const source = sourceAttribute.exec(attributes)?.[1];
    if (source) found.external.push(source);
    else if (code && !/\{[{%#]/.test(code)) found.inline.push(code);
  }
  return found;
}
