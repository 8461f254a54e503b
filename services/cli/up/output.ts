import type { Progress } from '../../engines-local/progress.ts';

const quietSeconds = 10;

export interface UpResult {
  url: string;
  edge_url: string;
  ops_url: string;
  data: string;
  demo?: { site: string; url: string; key: string };
}

/** The first administrator's one-time sign-in. Shown only on a terminal, never in output that is kept. */
export interface FirstSignIn {
  email: string;
  link: string;
}

/** The output of `up`: results on standard output, progress on standard error. */
export interface Output {
  progress: (progress: Progress) => void;
  note(line: string): void;
  /** Whether the result is printed for people, on a terminal, where it is not kept. */
  isTerminal: boolean;
  ready(result: UpResult, signIn?: FirstSignIn): void;
}

function describe({ doing, elapsedSeconds }: Progress): string {
  return `${doing} (${elapsedSeconds} s)`;
}

function curlExample(url: string, key: string): string {
  const headers = `-H 'X-API-Key: ${key}'`;
  const item = `{"title":"Written with curl","body_html":"<p>Hello from the command line.</p>","status":"published"}`;
  return [
    `  curl -sS ${url}/api/v1/sites/demo/content ${headers} -H 'Content-Type: application/json' -d '${item}' &&`,
    `  curl -sS -X POST ${url}/api/v1/sites/demo/publish ${headers}`,
  ].join('\n');
}

/**
 * Returns the configuration for clients of agents: the URL of the agent endpoint. They discover the rest
 * (docs/agents.md).
 */
const agentConfiguration = (url: string): string =>
  JSON.stringify({ mcpServers: { fieldstone: { type: 'http', url: `${url}/mcp` } } });

/** Returns the text printed once everything is ready; the last line is `ready`. */
export function describeReady(result: UpResult, signIn?: FirstSignIn): string {
  const lines = [
    `Dashboard   ${result.url}/dashboard`,
    `API         ${result.url}/api/v1`,
    `Sites       ${result.edge_url}/sites/{slug}/`,
    `Operations  ${result.ops_url}/readyz and /metrics`,
    `Data        ${result.data}`,
    '',
    'To connect an agent, paste this into the configuration of its client (MCP):',
    `  ${agentConfiguration(result.url)}`,
  ];
  if (result.demo) {
    const { url, key } = result.demo;
    lines.push(
      '',
      `Demo site   ${url}`,
      `Demo key    ${key}`,
      'Publish a change to it:',
      curlExample(result.url, key),
      '',
    );
  }
  if (signIn) {
    const again = `fieldstone users link ${signIn.email} --data '${result.data}'`;
    lines.push(
      '',
      `Sign in as ${signIn.email}, once and within 15 minutes (another link: ${again}):`,
      `  ${signIn.link}`,
      '',
    );
  }
  return [...lines, 'ready'].join('\n');
}

/**
 * Creates the output: on a terminal, one line shows the progress of all engines; otherwise one is printed at intervals.
 */
export function createOutput(json: boolean): Output {
  const { stderr } = process;
  const current = new Map<string, Progress>();
  const toldAt = new Map<string, number>();
  const clear = () => {
    if (stderr.isTTY) stderr.write('\r\x1b[2K');
  };
  return {
    progress(progress) {
      current.set(progress.engine, progress);
      if (stderr.isTTY) {
        clear();
        stderr.write(
          [...current.values()]
            .map(describe)
            .join(' · ')
            .slice(0, (stderr.columns ?? 80) - 1),
        );
        return;
      }
      const reportedAt = toldAt.get(progress.engine);
      if (
        progress.elapsedSeconds !== 0 &&
        reportedAt !== undefined &&
        progress.elapsedSeconds - reportedAt < quietSeconds
      )
        return;
      toldAt.set(progress.engine, progress.elapsedSeconds);
      stderr.write(`${describe(progress)}\n`);
    },
    note(line) {
      clear();
      stderr.write(`${line}\n`);
    },
    isTerminal: !json && process.stdout.isTTY === true,
    ready(result, signIn) {
      clear();
      process.stdout.write(
        `${json ? JSON.stringify({ status: 'ready', ...result }) : describeReady(result, signIn)}\n`,
      );
    },
  };
}
