import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { describeBytes } from '../../app/format.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { FileHead } from './file-editor.tsx';
import { readBytes, type ShellFile } from './files.ts';
import { strings } from './strings.ts';

function Picture({ file, bytes }: { file: ShellFile; bytes: ArrayBuffer }) {
  const url = useMemo(() => URL.createObjectURL(new Blob([bytes], { type: file.content_type })), [file, bytes]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return <img src={url} alt="" className="binary-picture" />;
}

/** A binary file: shows an image, and the type and size of any other file. */
export function BinaryFile({
  site,
  file,
  onRename,
  onRemove,
}: {
  site: string;
  file: ShellFile;
  onRename: (() => void) | undefined;
  onRemove: (() => void) | undefined;
}) {
  const isPicture = file.content_type.startsWith('image/');
  const query = useQuery({
    queryKey: ['shell', site, 'bytes', file.sha256],
    enabled: isPicture,
    queryFn: () => readBytes(site, file.path),
  });
  return (
    <div className="design-file">
      <FileHead
        path={file.path}
        state={strings.binary(file.content_type, describeBytes(file.bytes))}
        onRename={onRename}
        onRemove={onRemove}
      />
      <div className="binary-file">
        {isPicture && <Loaded query={query}>{({ bytes }) => <Picture file={file} bytes={bytes} />}</Loaded>}
        <p className="field-description">{strings.binaryText}</p>
      </div>
    </div>
  );
}
