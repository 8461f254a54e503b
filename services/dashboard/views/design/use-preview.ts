import { strToU8, zipSync } from 'fflate';
import { useEffect, useRef, useState } from 'react';
import { dataOf, rest } from '../../app/api.ts';
import { type Problem, toProblem } from '../../app/problem.ts';

/** How long typing pauses before the preview follows. */
const pauseMs = 500;

/** Unsaved texts by path. */
export type Texts = Readonly<Record<string, string>>;

export interface Preview {
  /** The link to the root of the last preview that worked, with a slash; undefined before the first. */
  root: string | undefined;
  isRendering: boolean;
  /** Why the last attempt failed. */
  problem: Problem | null;
}

/** Renders the site with unsaved files, on the service. Rejects with the Problem of a template that fails. */
async function render(site: string, texts: Texts): Promise<string> {
  const zip = zipSync(Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, strToU8(text)])));
  const { url } = await dataOf(
    rest.POST('/sites/{site}/shell/archive/preview', {
      params: { path: { site }, query: { mode: 'merge' } },
      headers: { 'Content-Type': 'application/octet-stream' },
      body: zip as unknown as string,
      bodySerializer: (body: unknown) => body as BodyInit,
    }),
  );
  return url;
}

/** The site with unsaved texts, rendered again when `key` has changed and typing pauses. One preview is made at a time. */
export function usePreview(site: string, key: string, texts: Texts, isShown: boolean): Preview {
  const [preview, setPreview] = useState<Preview>({ root: undefined, isRendering: false, problem: null });
  const wanted = useRef({ key, texts });
  wanted.current = { key, texts };
  const made = useRef('');
  const isBusy = useRef(false);
  useEffect(() => {
    if (!isShown) return;
    const run = async () => {
      if (isBusy.current) return;
      isBusy.current = true;
      setPreview((before) => ({ ...before, isRendering: true }));
      while (made.current !== wanted.current.key) {
        const { key: tried, texts: sent } = wanted.current;
        const result = await render(site, sent).then(
          (root) => ({ root, problem: null }),
          (error: unknown) => ({ problem: toProblem(error) }),
        );
        made.current = tried;
        setPreview((before) => ({ ...before, ...result }));
      }
      isBusy.current = false;
      setPreview((before) => ({ ...before, isRendering: false }));
    };
    if (made.current === key) return;
    const timer = setTimeout(run, made.current === '' ? 0 : pauseMs);
    return () => clearTimeout(timer);
  }, [site, key, isShown]);
  return preview;
}
