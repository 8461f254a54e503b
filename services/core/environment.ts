import { readFileSync } from 'node:fs';

/** A setting is missing or not valid; the message names the variable and says what to set. */
export class ConfigError extends Error {}

export type Env = Record<string, string | undefined>;

/** Reads one variable; `NAME_FILE` names a file that contains the value (contract: Processes, settings and CLI). */
export function readText(env: Env, name: string): string | undefined {
  const value = env[name];
  if (value !== undefined && value !== '') return value;
  const file = env[`${name}_FILE`];
  if (!file) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new ConfigError(`${name}_FILE names ${file}, which cannot be read.`);
  }
}

/** Reads a certificate or key: PEM text, or the path of a file that contains it. */
export function readPem(env: Env, name: string): string | undefined {
  const value = readText(env, name);
  if (value === undefined || value.includes('-----BEGIN ')) return value;
  try {
    const text = readFileSync(value, 'utf8');
    if (text.includes('-----BEGIN ')) return text;
  } catch {
    // reported below: a path that cannot be read is not PEM text either
  }
  throw new ConfigError(`${name} must hold a certificate or key as PEM text, or name a file that does.`);
}

/** Reads a certificate authority, a client certificate and its key; the last two require each other. */
export function readTls(env: Env, prefix: string) {
  const [ca, cert, key] = [readPem(env, `${prefix}_CA`), readPem(env, `${prefix}_CERT`), readPem(env, `${prefix}_KEY`)];
  if (!cert !== !key) throw new ConfigError(`${prefix}_CERT and ${prefix}_KEY must be set both, or neither.`);
  return { ca, cert, key };
}

/** Reads a whole number within bounds. */
export function readInteger(env: Env, name: string, fallback: number, min = 0, max = Number.MAX_SAFE_INTEGER): number {
  const text = readText(env, name);
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
  }
  return value;
}

/** Reads a comma-separated list. */
export function readList(env: Env, name: string): string[] {
  return (readText(env, name) ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Reads a comma-separated list, each entry of the named form; throws for any other entry. */
export function readForms(env: Env, name: string, form: string, parse: (text: string) => unknown): string[] {
  const texts = readList(env, name);
  const wrong = texts.find((text) => parse(text) === null);
  if (wrong !== undefined) throw new ConfigError(`${name} must list ${form}, not "${wrong}".`);
  return texts;
}

/** Reads comma-separated whole numbers. */
export function readIntegers(env: Env, name: string, fallback: readonly number[]): readonly number[] {
  const texts = readList(env, name);
  const wrong = texts.find((text) => !/^\d{1,9}$/.test(text));
  if (wrong !== undefined) throw new ConfigError(`${name} must list whole numbers, not "${wrong}".`);
  return texts.length === 0 ? fallback : texts.map(Number);
}

/** Reads `true`, `1`, `false` or `0`. */
export function readFlag(env: Env, name: string, fallback: boolean): boolean {
  const text = readText(env, name);
  if (text === undefined) return fallback;
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new ConfigError(`${name} must be true or false, not "${text}".`);
}

/** Reads one of a few words; the first is the default. */
export function readChoice<Word extends string>(env: Env, name: string, words: readonly [Word, ...Word[]]): Word {
  const text = readText(env, name) ?? words[0];
  const word = words.find((one) => one === text);
  if (!word) throw new ConfigError(`${name} must be one of ${words.join(', ')}, not "${text}".`);
  return word;
}

/** Reads some of a few words; all of them by default. */
export function readWords<Word extends string>(env: Env, name: string, words: readonly Word[]): readonly Word[] {
  const listed = readList(env, name);
  const unknown = listed.find((one) => !words.some((word) => word === one));
  if (unknown) throw new ConfigError(`${name} must list some of ${words.join(', ')}, not "${unknown}".`);
  return listed.length === 0 ? words : words.filter((word) => listed.includes(word));
}

/** Reads an http(s) origin, without a trailing slash. */
export function readOrigin(env: Env, name: string, fallback: string): string {
  const text = readText(env, name) ?? fallback;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new ConfigError(`${name} must be an http(s) origin such as https://example.com, not "${text}".`);
  }
  return text.replace(/\/+$/, '');
}

/** Reads the URL of the database; error messages do not quote it, because it may contain a password. */
export function readDatabaseUrl(env: Env): string | undefined {
  const text = readText(env, 'DATABASE_URL');
  if (text === undefined || (URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol))) return text;
  throw new ConfigError(
    'DATABASE_URL must be a URL such as postgresql://user:password@host:26257/database, with special characters of the password percent-encoded.',
  );
}

/** Reads the URL of an object store, which must be an origin, since buckets are requested below its root. */
export function readEndpoint(env: Env, name: string): string | undefined {
  const text = readText(env, name);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search) return text;
  throw new ConfigError(`${name} must be an http(s) origin such as https://s3.example.com:9000, not "${text}".`);
}

/** Reads `key=value,key=value` with percent-encoded values, the format of OpenTelemetry for headers. */
export function readHeaders(env: Env, name: string): Record<string, string> {
  const pairs = readList(env, name).map((pair) => {
    const at = pair.indexOf('=');
    try {
      if (at > 0) return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())] as const;
    } catch {
      // a broken escape is treated like a missing value
    }
    throw new ConfigError(`${name} must list headers as name=value, comma-separated and percent-encoded.`);
  });
  return Object.fromEntries(pairs);
}
