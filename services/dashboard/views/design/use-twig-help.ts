import type { Extension } from '@codemirror/state';
import { useEffect, useState } from 'react';
import { notifyProblem } from '../../parts/notify.ts';
import type { TemplateGuide } from './guide.ts';

/** The completion of a template; undefined for other files, and while it is loaded. */
export function useTwigHelp(
  file: string,
  guide: TemplateGuide | undefined,
  paths: readonly string[],
): Extension | undefined {
  const [extension, setExtension] = useState<Extension>();
  useEffect(() => {
    if (!guide || !file.endsWith('.twig')) return;
    let isCurrent = true;
    import('./twig-help.ts').then(
      ({ twigHelp }) => isCurrent && setExtension(twigHelp({ file, guide, paths })),
      notifyProblem,
    );
    return () => {
      isCurrent = false;
    };
  }, [file, guide, paths]);
  return extension;
}
