import { useMemo } from 'react';
import { sandboxDocument } from './sandbox-document.ts';

const parse = (html: string): Document => new DOMParser().parseFromString(html, 'text/html');

/** Shows markup that people wrote in a frame without scripts, forms, links and cookies. */
export function SandboxFrame({ title, html, css }: { title: string; html: string; css: string }) {
  const text = useMemo(() => {
    const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
    return sandboxDocument(html, css, nonce, parse);
  }, [html, css]);
  return <iframe className="sandbox-frame" title={title} sandbox="" srcDoc={text} />;
}
