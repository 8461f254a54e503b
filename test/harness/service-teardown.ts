export default async function teardown(): Promise<void> {
  await (globalThis as { stopTemplateServer?: () => Promise<void> }).stopTemplateServer?.();
}
