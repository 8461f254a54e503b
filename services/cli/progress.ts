/** The part of a job that its progress shows. */
export interface JobProgress {
  status: string;
  stage: string;
  done: number;
  total: number;
}

export interface ProgressDisplay {
  show(progress: JobProgress): void;
  /** Ends the display, so that other output follows on a line of its own. */
  end(): void;
}

const barLength = 24;

function describe({ status, stage, done, total }: JobProgress): string {
  return `${status}: ${stage}${total > 0 ? ` ${done}/${total}` : ''}`;
}

function bar({ done, total }: JobProgress): string {
  if (total === 0) return '';
  const filled = Math.round((Math.min(done, total) / total) * barLength);
  return `  ${'█'.repeat(filled)}${'░'.repeat(barLength - filled)}`;
}

/**
 * Creates the display of a job's progress on standard error: one line with a bar on a terminal, else a line for each
 * change. Nothing with `json`.
 */
export function createProgressDisplay(
  json: boolean | undefined,
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
): ProgressDisplay {
  let last = '';
  return {
    show(progress) {
      const line = describe(progress);
      if (json || line === last) return;
      last = line;
      stream.write(stream.isTTY ? `\r\x1b[2K${line}${bar(progress)}` : `${line}\n`);
    },
    end() {
      if (!json && stream.isTTY && last !== '') stream.write('\r\x1b[2K');
    },
  };
}
