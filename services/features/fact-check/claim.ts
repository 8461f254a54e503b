export type ClaimKind = 'number' | 'date' | 'superlative' | 'quotation' | 'attribution';
export type Verdict = 'supported' | 'unsupported' | 'contradicted' | 'unverifiable';
