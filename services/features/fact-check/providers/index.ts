import { createClaimReviewProvider } from './claim-review.ts';
import { createOpenAiProvider } from './openai.ts';
import type { FactCheckProvider } from './provider.ts';

/** `FIELDSTONE_FACT_CHECK_PROVIDER`, `…_URL`, `…_API_KEY`, `…_MODEL`. */
interface FactCheckProviderSettings {
  provider: 'none' | 'openai' | 'claimreview';
  url: string;
  apiKey: string;
  model: string;
}

const claimReviewSearch = 'https://factchecktools.googleapis.com/v1alpha1/claims:search';

/** Creates the configured external provider; null if none. Throws an Error that says which setting is missing. */
export function createFactCheckProvider(settings: FactCheckProviderSettings): FactCheckProvider | null {
  if (settings.provider === 'none') return null;
  if (settings.provider === 'claimreview') {
    return createClaimReviewProvider({ url: readUrl(settings.url || claimReviewSearch), apiKey: settings.apiKey });
  }
  if (!settings.model) throw new Error('FIELDSTONE_FACT_CHECK_MODEL must name a model.');
  return createOpenAiProvider({ url: readUrl(settings.url), apiKey: settings.apiKey, model: settings.model });
}

function readUrl(url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new Error('FIELDSTONE_FACT_CHECK_URL must be an http or https URL.');
  return url;
}
