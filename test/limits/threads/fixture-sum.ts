/** A second kind of work: returns the sum of some bytes. */
export default function sum(bytes: ArrayBuffer): number {
  return new Uint8Array(bytes).reduce((total, byte) => total + byte, 0);
}
