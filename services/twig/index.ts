/** The Twig engine: Twig 3 compiled to JavaScript. See docs/decisions for why it exists. */
export { describeTwig } from './describe.ts';
export {
  createTwigEnvironment,
  defaultTwigLimits,
  type TwigEnvironment,
  type TwigEnvironmentOptions,
  type TwigLimits,
} from './environment.ts';
export { TwigError, type TwigErrorKind, type TwigErrorPlace } from './errors.ts';
export type { HostCallable } from './runtime/state.ts';
export { markSafe, SafeHtml, type TwigValue } from './runtime/values.ts';
export { unsupportedTwigFeatures } from './unsupported.ts';
