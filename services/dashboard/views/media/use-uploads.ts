import { useRef, useState } from 'react';
import { Upload } from 'tus-js-client';
import type { AltText } from '../../parts/alt-fields.tsx';

/** A file with what the library asks for. */
export interface ChosenFile {
  file: File;
  alt: AltText;
}

/** An upload as the page shows it. */
export interface UploadState {
  id: string;
  name: string;
  bytes: number;
  sent: number;
  status: 'sending' | 'done' | 'failed';
  /** Why it failed. */
  error?: string;
}

/** Pieces of this size are stored even if the connection breaks; an interrupted upload continues after the last one. */
const chunkBytes = 8 * 1024 * 1024;
const retryDelaysMs = [0, 1_000, 3_000, 5_000];

const messageOf = (error: Error): string => {
  const body = 'originalResponse' in error ? (error.originalResponse as { getBody(): string } | null)?.getBody() : '';
  try {
    return (JSON.parse(body ?? '') as { error: { message: string } }).error.message;
  } catch {
    return error.message;
  }
};

/** Uploads files by tus, several at once. An upload that was interrupted, also by closing the page, continues where it ended. */
export function useUploads(site: string, onUploaded: () => void) {
  const [uploads, setUploads] = useState<UploadState[]>([]);
  const running = useRef(new Map<string, Upload>());
  const update = (id: string, change: Partial<UploadState>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));
  const start = async (upload: Upload) => {
    const [previous] = await upload.findPreviousUploads();
    if (previous) upload.resumeFromPreviousUpload(previous);
    upload.start();
  };
  const add = ({ file, alt: { text: alt, isDecorative: decorative } }: ChosenFile) => {
    const id = crypto.randomUUID();
    const upload = new Upload(file, {
      endpoint: '/dashboard/uploads',
      chunkSize: chunkBytes,
      retryDelays: retryDelaysMs,
      removeFingerprintOnSuccess: true,
      fingerprint: async () => ['fieldstone', site, file.name, file.size, file.lastModified, alt, decorative].join(' '),
      metadata: { site, filename: file.name, ...(decorative ? { decorative: 'true' } : { alt }) },
      onProgress: (sent) => update(id, { sent }),
      onSuccess() {
        update(id, { status: 'done', sent: file.size });
        onUploaded();
      },
      onError: (error) => update(id, { status: 'failed', error: messageOf(error) }),
    });
    running.current.set(id, upload);
    setUploads((all) => [...all, { id, name: file.name, bytes: file.size, sent: 0, status: 'sending' }]);
    void start(upload);
  };
  return {
    uploads,
    add: (files: readonly ChosenFile[]) => files.forEach(add),
    retry(id: string) {
      update(id, { status: 'sending' });
      void start(running.current.get(id)!);
    },
    cancel(id: string) {
      void running.current.get(id)?.abort(true);
      setUploads((all) => all.filter((upload) => upload.id !== id));
    },
    clear: () => setUploads((all) => all.filter(({ status }) => status === 'sending')),
  };
}
