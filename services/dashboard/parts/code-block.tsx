/** Code or bytes as text. It can be scrolled with the keyboard. `wraps`: long lines are broken. */
export const CodeBlock = ({ label, text, wraps = false }: { label: string; text: string; wraps?: boolean }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must have the focus to be scrolled with the keyboard
  <section className={`code-block${wraps ? ' code-block-wrapped' : ''}`} aria-label={label} tabIndex={0}>
    <pre>
      <code>{text}</code>
    </pre>
  </section>
);
