import { CodeEditor, type CodeEditorProps } from './code-editor/index.tsx';

/** A labelled editor of code in a form. Its faults are shown at their lines, and listed below it. */
export const CodeField = ({ description, ...editor }: CodeEditorProps & { description?: string }) => (
  <div className="field code-field">
    <span aria-hidden className="field-title">
      {editor.label}
    </span>
    <CodeEditor {...editor} />
    {description !== undefined && <p className="field-description">{description}</p>}
    {editor.faults && editor.faults.length > 0 && (
      <ul className="field-error" role="alert">
        {editor.faults.map(({ line, message }) => (
          <li key={`${line} ${message}`}>{message}</li>
        ))}
      </ul>
    )}
  </div>
);
