import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Problem } from '../../../services/core/errors.ts';
import { decodeText } from '../../../services/core/stored-json.ts';
import { openSignature, signBody } from '../../../services/features/inbound/signature.ts';
import { mapperNames } from '../../../services/features/integrations/mapper-names.ts';
import { mapperOf } from '../../../services/features/mapping/mappers/index.ts';
import { readPayload, UnusablePayload } from '../../../services/features/mapping/mappers/mapper.ts';
import { isSigned } from '../../harness/signed.ts';
import { anyText, attempt, damaged, damagedText, pieced, target } from '../target.ts';

const secret = 'whsec_test';
const body = Buffer.from('{"title":"A"}');
const nowMs = 1_800_000_000_000;
const genuine = signBody(secret, body, nowMs);
const early = signBody(secret, body, nowMs - 300_000);
const late = signBody(secret, body, nowMs - 301_000);
const other = signBody('another', body, nowMs);
const signatureParts = [
  genuine,
  early,
  late,
  other,
  ',',
  't=',
  'v1=',
  'v0=',
  '1800000000',
  genuine.slice(-64),
  '-',
  ' ',
  '\t',
  '+',
  '0x',
  'é',
];

/** Whether a header contains a time within the window and its true signature, parsed as loosely as possible. */
function namesTruth(header: string): boolean {
  const moments = header.match(/\d+/g) ?? [];
  return moments.some((moment) => {
    const true1 = createHmac('sha256', secret).update(`${moment}.`).update(body).digest('hex');
    return Math.abs(Number(moment) - nowMs / 1000) <= 300 && header.toLowerCase().includes(true1);
  });
}

const payloads = [
  '{"id":"a1","title":"T","body_html":"<p>b</p>","slug":"t","status":"draft","published_at":"2026-01-01T00:00:00Z"}',
  '{"title":"T","body_html":"","source_ref":"r","author":"A","excerpt":null,"tags":[]}',
  '{"url":"https://x.test/a.png","alt":"A","decorative":true}',
  '{"handle":"box","type":"html","source_code":"<b></b>","css":"b{}"}',
];
const payloadPieces = [
  '{',
  '}',
  '"title":',
  '"body_html":',
  '"id":',
  '"url":',
  '"type":"html",',
  '"a",',
  'null,',
  '1,',
  '[],',
  '{},',
  '"\\u0000",',
  '"\\ud800",',
  '"__proto__":',
];

export const webhookTargets = [
  target({
    name: 'signature header',
    inputs: fc.oneof(
      damagedText([genuine, early, late, other, `${genuine},v1=${'0'.repeat(64)}`], 2),
      pieced(signatureParts, 8, anyText(3)),
      anyText(120),
    ),
    check(header) {
      const judge = (secrets: string[], bytes = body) => isSigned(openSignature({ header, secrets, nowMs }), bytes);
      const signed = judge([secret]);
      if (signed) assert.ok(namesTruth(header));
      assert.equal(judge(['wrong', secret]), signed);
      assert.equal(judge(['wrong']) && !header.includes('v1='), false);
      if (signed) assert.equal(judge([secret], Buffer.concat([body, Buffer.from(' ')])), false);
    },
    pump: {
      pieces: signatureParts,
      parse: (header) => openSignature({ header: header.slice(0, 64_000), secrets: [secret], nowMs }),
    },
  }),
  target({
    name: 'webhook payload',
    inputs: fc.tuple(
      fc.constantFrom(...mapperNames),
      fc.oneof(
        damaged(payloads),
        pieced(payloadPieces).map((text) => Buffer.from(text)),
        fc.jsonValue({ maxDepth: 4 }).map((value) => Buffer.from(JSON.stringify(value))),
      ),
    ),
    check([name, bytes]) {
      const mapper = mapperOf(name);
      const raw = decodeText(bytes);
      const payload = attempt(() => readPayload(mapper, raw), UnusablePayload, Problem) as Record<
        string,
        unknown
      > | null;
      if (payload === null) return;
      for (const [member, value] of Object.entries(payload)) {
        if (member !== 'body_html' && typeof value === 'string')
          assert.ok(!value.includes('\0') && value.isWellFormed(), member);
      }
      const key = attempt(() => mapper.keyOf(payload, raw), UnusablePayload, Problem);
      assert.ok(key === null || typeof key === 'string');
    },
    pump: {
      pieces: payloadPieces,
      parse: (text) => attempt(() => readPayload(mapperOf('autoseo'), text), UnusablePayload, Problem),
    },
  }),
];
