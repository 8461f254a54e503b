// Jest reads TypeScript the way Node does: types are stripped, positions stay, nothing is compiled.
import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';

export default {
  process(source, filename) {
    return { code: /\.m?ts$/.test(filename) ? stripTypeScriptTypes(source) : source };
  },
  getCacheKey(source, filename) {
    return createHash('sha256').update(`1\0${filename}\0${source}`).digest('hex');
  },
};
