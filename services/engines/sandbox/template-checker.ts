/** Stand-in until the sandbox process is wired. */
export function createTemplateChecker() {
  return { check: async (_name: string, _source: string) => null, stop: async () => undefined };
}
