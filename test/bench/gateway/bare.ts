// The baseline: a bare restify server that sends the same statements as the gateway, at the same isolation, without its
// checks and limits. Started by gateway.ts with the statements in BARE_PLAN.
import pg from 'pg';
import restify from 'restify';

interface Operation {
  method: 'get' | 'post';
  path: string;
  statements: { sql: string; params: unknown[] }[];
}

const plan: Operation[] = JSON.parse(process.env.BARE_PLAN!);
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 16,
  options: '-c default_transaction_isolation=serializable',
});
const server = restify.createServer({ name: '' });
let counter = 0;

/**
 * Replaces `{n}` in a parameter by a fresh number, `{uuid}` by a fresh id, since creates must differ, and `{shard}` by
 * one of the counters.
 */
const fill = (value: unknown) =>
  value === '{shard}'
    ? Math.floor(Math.random() * 64)
    : typeof value === 'string'
      ? value.replace('{n}', String(counter)).replace('{uuid}', crypto.randomUUID())
      : value;

async function send(name: string, sql: string, values: unknown[]) {
  for (;;) {
    try {
      return await pool.query({ name, text: sql, values });
    } catch (error) {
      if ((error as { code?: string }).code !== '40001') throw error;
    }
  }
}

plan.forEach(({ method, path, statements }, number) => {
  server[method](path, async (_req: restify.Request, res: restify.Response) => {
    counter++;
    let last: unknown;
    for (const [index, { sql, params }] of statements.entries()) {
      last = (await send(`s${number}_${index}`, sql, params.map(fill))).rows;
    }
    res.send({ success: true, data: last });
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
