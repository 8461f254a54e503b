import { examine, explain, type Finding, good, note } from './finding.ts';

const timeoutMs = 5000;

/**
 * Checks whether a public origin leads to the role that it names. From inside a cluster it often does not, and need
 * not, so the finding is a note.
 */
export function checkAddress(check: string, origin: string, setting: string): Promise<Finding[]> {
  return examine(check, { subject: origin, remedy: '' }, async () => {
    try {
      const reply = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(timeoutMs) });
      await reply.body?.cancel();
      if (reply.ok) return good(check, `responds at ${origin}`);
      return note(check, `${origin} responds with ${reply.status}. If users get the same response, check ${setting}.`);
    } catch (error) {
      return note(
        check,
        `${origin} is not reached from here: ${explain(error)}. If users do not either, check ${setting}.`,
      );
    }
  });
}
