import { type FoundComponent, findComponent } from './find-component.ts';

/**
 * The thread's entry: finds the component in code; see `createTextReader`. Returns null for code that nests too deeply
 * for its stack.
 */
export default function find(code: string): FoundComponent | null {
  try {
    return findComponent(code);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
