import { CodeBlock } from '../../parts/code-block.tsx';
import { strings } from './strings.ts';

type Values = Record<string, unknown>;

/** Returns the element that shows a component in a body. */
function elementOf(handle: string, values: Values): string {
  const escaped = JSON.stringify(values).replaceAll('&', '&amp;').replaceAll("'", '&#39;');
  const vars = Object.keys(values).length === 0 ? '' : ` vars='${escaped}'`;
  return `<x-component handle="${handle}"${vars}></x-component>`;
}

/** How the component is shown with these values in a body and in a template. */
export const Use = ({ handle, values }: { handle: string; values: Values }) => (
  <section aria-label={strings.use}>
    <h2>{strings.use}</h2>
    <h3 className="field-title">{strings.inBody}</h3>
    <CodeBlock label={strings.inBody} text={elementOf(handle, values)} wraps />
    <h3 className="field-title">{strings.inTemplate}</h3>
    <CodeBlock
      label={strings.inTemplate}
      text={`{{ component('${handle}'${Object.keys(values).length === 0 ? '' : `, ${JSON.stringify(values)}`}) }}`}
      wraps
    />
  </section>
);
