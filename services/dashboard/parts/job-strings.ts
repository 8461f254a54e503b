/** The texts about the progress of a job. */
export const jobStrings = {
  stages: {
    queued: 'Waiting for its turn',
    media: 'Waiting for images',
    read: 'Reading the site',
    render: 'Rendering pages',
    store: 'Storing pages',
  } as Record<string, string | undefined>,
  working: 'Working',
  pagesDone: (done: number, total: number) => `${done} of ${total} pages`,
  timeLeft: (time: string) => `${time} left`,
} as const;
