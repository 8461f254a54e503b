import { useState } from 'react';
import { Choice } from '../../parts/choice.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import go from './examples/go.txt';
import js from './examples/js.txt';
import php from './examples/php.txt';
import python from './examples/python.txt';
import sh from './examples/sh.txt';
import { strings } from './strings.ts';

/** The examples of docs/webhooks.md; a test compares them. */
const examples = { sh, js, python, php, go };
type Language = keyof typeof examples;

const languages = (Object.keys(examples) as Language[]).map((value) => ({ value, label: strings.languages[value] }));

/** How a program signs and sends a delivery, in five languages. */
export function SigningExamples() {
  const [language, setLanguage] = useState<Language>('sh');
  return (
    <>
      <Choice label={strings.language} value={language} options={languages} onChange={setLanguage} />
      <CodeBlock label={strings.languages[language]} text={examples[language]} />
      <CopyButton text={examples[language]} />
    </>
  );
}
