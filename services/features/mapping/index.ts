/** The public interface of mapping. */
export { forecastReplay, type ReplayForecast } from './forecast.ts';
export { createImageImporter } from './images/import-images.ts';
export { createInbox } from './inbox.ts';
export { mapperPayloads } from './mappers/index.ts';
