import type { ActorRuntime } from '../contracts/runtime.ts';
import type { ShellPreview, ShellPreviewInput } from '../contracts/shell-preview.ts';

/** Renders one preview of a theme, for a request that waits for it. */
export async function shellPreview(runtime: ActorRuntime, input: ShellPreviewInput): Promise<ShellPreview> {
  return runtime.call('previewShell', input);
}
