import { type FoundComponent, findComponent } from './find-component.ts';

/** What a thread does with the code of a component; see `createTextReader`. Null for code that nests more deeply than its stack. */
export default function find(code: string): FoundComponent | null {
  try {
    return findComponent(code);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
