// biome-ignore lint/suspicious/noExplicitAny: replies of every shape are looked into
type Any = any;

const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
/** Members whose content is the user's, that describe members, or that contain milliseconds. */
const free = new Set(['settings', 'variables_schema', 'body', 'headers', 'properties', 'timeline']);

/** Returns the paths of members named `…_at` that are not timestamps of the contract, anywhere in a value. */
function findWrongTimestamps(value: Any, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => findWrongTimestamps(one, `${at}${index}.`));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value as Record<string, Any>).flatMap(([name, member]) => {
    if (free.has(name)) return [];
    if (!name.endsWith('_at')) return findWrongTimestamps(member, `${at}${name}.`);
    return member === null || timestamp.test(String(member)) ? [] : [`${at}${name} = ${member}`];
  });
}

function faultsOfSuccess(json: Any): string[] {
  const faults: string[] = [];
  if (json?.success !== true || typeof json.data !== 'object' || json.data === null) faults.push('no success envelope');
  const { pagination } = json ?? {};
  const numbers = ['total', 'page', 'per_page', 'total_pages'].map((name) => pagination?.[name]);
  if (Array.isArray(json?.data) && !numbers.every(Number.isInteger)) faults.push('a list without its pagination');
  return [...faults, ...findWrongTimestamps(json?.data).map((wrong) => `not YYYY-MM-DDTHH:MM:SSZ: ${wrong}`)];
}

function faultsOfFailure(status: number, headers: Headers, json: Any): string[] {
  const faults: string[] = [];
  const { code, message, details } = json?.error ?? {};
  if (json?.success !== false || typeof message !== 'string' || message === '') faults.push('no failure envelope');
  if (!/^[a-z][a-z0-9_]*$/.test(String(code))) faults.push(`the code ${code} is not a word`);
  if (status === 500) faults.push('the service failed');
  if (status === 429 && !/^\d+$/.test(headers.get('retry-after') ?? '')) faults.push('no Retry-After');
  const shaped = Array.isArray(details) && details.every((one) => typeof one?.path === 'string' && one.message);
  if (status === 422 && !shaped) faults.push('no details of path and message');
  return faults;
}

/**
 * Returns the violations of rules for all responses of the REST surface; contract: Conventions. Files of a shell, which
 * are not JSON, and responses without a body have none.
 */
export function faultsOfReply(status: number, headers: Headers, text: string): string[] {
  const isFile = status < 400 && !headers.get('content-type')?.startsWith('application/json');
  if (text === '' || isFile) return [];
  let json: Any;
  try {
    json = JSON.parse(text);
  } catch {
    return ['no JSON'];
  }
  return status < 400 ? faultsOfSuccess(json) : faultsOfFailure(status, headers, json);
}
