import { useParams } from '@tanstack/react-router';
import { Loaded } from '../../parts/loaded.tsx';
import { Sheet } from '../../parts/sheet.tsx';
import sheet from './design.css?url';
import { useShellFiles } from './files.ts';
import { ShellEditor } from './shell-editor.tsx';

/** The files of a site's shell, with an editor and a preview. */
export default function DesignPage() {
  const { site } = useParams({ strict: false }) as { site: string };
  const files = useShellFiles(site);
  return (
    <>
      <Sheet url={sheet} />
      <Loaded query={files}>{(all) => <ShellEditor key={site} site={site} stored={all} />}</Loaded>
    </>
  );
}
