import { useMemo } from 'react';
import { sandboxDocument } from './sandbox-document.ts';

const parse = (html: string): Document => new DOMParser().parseFromString(html, 'text/html');

/**
 * Shows markup that people wrote in a frame without scripts, forms, links and cookies; an empty place for null. Each document gets a frame of
 * its own: Chromium sometimes leaves a sandboxed frame blank whose document is replaced.
 */
export function SandboxFrame({ title, html, css }: { title: string; html: string | null; css: string }) {
  const text = useMemo(() => {
    const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
    return html === null ? null : sandboxDocument(html, css, nonce, parse);
  }, [html, css]);
  return (
    <div className="sandbox-frame">{text !== null && <iframe key={text} title={title} sandbox="" srcDoc={text} />}</div>
  );
}
