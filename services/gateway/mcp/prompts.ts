import { ErrorCode, type GetPromptResult, McpError, type Prompt } from '@modelcontextprotocol/sdk/types.js';

interface PromptText extends Prompt {
  text(args: Record<string, string>): string;
}

const site = { name: 'site', description: 'The slug of the site', required: true };

const all: readonly PromptText[] = [
  {
    name: 'write_post',
    title: 'Write a post',
    description: 'Write a post, show a preview, and publish it once the user agrees',
    arguments: [site, { name: 'topic', description: 'What the post is about', required: true }],
    text: ({ site, topic }) => `Write a post for the site "${site}" about: ${topic}

1. Read guide_read (of_site) and, for the style, two recent posts with content_read.
2. Create the post with content_write (create) as a draft. Fix what the warnings of the reply name.
3. Show the user the link of content_check (preview) and change what they ask for.
4. Only when the user agrees: set its status to published with content_write (update), call publish, and wait for the
   job with jobs_read. Tell the user the URL.`,
  },
  {
    name: 'change_theme',
    title: 'Change the theme',
    description: 'Change templates or styles, look at the preview, and publish once the user agrees',
    arguments: [site, { name: 'wish', description: 'What should change', required: true }],
    text: ({ site, wish }) => `Change the theme of the site "${site}": ${wish}

1. Read guide_read (of_site), list the files with theme_read and read those that matter.
2. Take a snapshot with theme_write (take_snapshot) and tell the user its rev.
3. Write the changed files with theme_write (write_file). A reply with warnings names the line to fix.
4. Wait for the job of the last write with jobs_read, then show the user the URL of theme_read (preview).
5. Publish only when the user agrees. theme_destroy (restore_snapshot) brings the old theme back.`,
  },
  {
    name: 'undo_publish',
    title: 'Undo a publish',
    description: 'Make an earlier release live again, or restore a backup as a new site',
    arguments: [site],
    text: ({ site }) => `Something on the live site "${site}" is wrong.

1. List the releases with releases_read and tell the user when each was made and what changed.
2. When the user chose one, call publish (roll_back) with its id. The stored content stays as it is: say so, and that the
   next publish would make it live again.
3. If stored content is lost, list the backups with backups_read, verify one, and restore it as a new site with
   backups_destroy (restore, as) to compare.`,
  },
];

/** The prompts for common work. */
export const prompts: Prompt[] = all.map(({ text: _, ...prompt }) => prompt);

/** Returns a prompt with its arguments. Throws McpError for an unknown prompt or a missing argument. */
export function getPrompt(name: string, args: Record<string, string> = {}): GetPromptResult {
  const prompt = all.find((one) => one.name === name);
  if (!prompt) throw new McpError(ErrorCode.InvalidParams, `There is no prompt ${name.slice(0, 100)}.`);
  const missing = prompt.arguments?.find((one) => one.required && !args[one.name]);
  if (missing) throw new McpError(ErrorCode.InvalidParams, `The argument ${missing.name} is required.`);
  return {
    description: prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text: prompt.text(args) } }],
  };
}
