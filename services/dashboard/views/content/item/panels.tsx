import ChevronRight from 'lucide-react/icons/chevron-right';
import { type ReactNode, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Disclosure, DisclosurePanel } from 'react-aria-components/Disclosure';
import { Heading } from 'react-aria-components/Heading';
import { SchemaForm } from '../../../parts/schema-form.tsx';
import { useContentType } from './data.ts';
import { DetailsPanel } from './details-panel.tsx';
import type { Members } from './draft-session.ts';
import { FactCheckPanel } from './fact-check-panel.tsx';
import { FeaturedPanel } from './featured-panel.tsx';
import { HistoryPanel } from './history-panel.tsx';
import type { EditorProps, Values } from './item-editor.tsx';
import { PublishingPanel } from './publishing-panel.tsx';
import { SeoPanel } from './seo-panel.tsx';
import { strings } from './strings.ts';
import { TranslationsPanel } from './translations-panel.tsx';

export interface PanelProps extends EditorProps {
  values: Values;
  change: (members: Members) => void;
}

/** Everything about an item beside its text. */
export function Panels(
  props: PanelProps & { mayWrite: boolean; isSourceShown: boolean; onShowSource: (isShown: boolean) => void },
) {
  const { site, values, change, state, mayWrite } = props;
  const type = useContentType(site, values.type);
  const messages = Object.fromEntries(
    (state.problem?.details ?? []).map(({ path, message }) => [path.replace(/^fields\.?/, ''), message]),
  );
  return (
    <aside className="item-panels" aria-label={strings.details}>
      {state.warnings.length > 0 && (
        <Panel title={`${strings.warnings} (${state.warnings.length})`} isOpen>
          <ul className="warnings">
            {state.warnings.map(({ code, message }) => (
              <li key={`${code} ${message}`}>{message}</li>
            ))}
          </ul>
        </Panel>
      )}
      <Panel title={strings.publishing} isOpen isReadOnly={!mayWrite}>
        <PublishingPanel {...props} />
      </Panel>
      <Panel title={strings.details} isOpen isReadOnly={!mayWrite}>
        <DetailsPanel {...props} />
      </Panel>
      <Panel title={strings.featured} isOpen isReadOnly={!mayWrite}>
        <FeaturedPanel {...props} />
      </Panel>
      {type && (
        <Panel title={strings.fields} isOpen isReadOnly={!mayWrite}>
          <SchemaForm
            schema={type.fields_schema}
            value={values.fields}
            messages={messages}
            onChange={(fields) => change({ fields })}
          />
        </Panel>
      )}
      <Panel title={strings.seo} isReadOnly={!mayWrite}>
        <SeoPanel {...props} />
      </Panel>
      <TranslationsPanel {...props} />
      <Panel title={strings.factCheck}>
        <FactCheckPanel {...props} />
      </Panel>
      <Panel title={strings.history}>
        <HistoryPanel {...props} />
      </Panel>
    </aside>
  );
}

/** A part of the details that opens and closes. What is inside exists only while it is open. */
export function Panel({
  title,
  isOpen = false,
  isReadOnly = false,
  children,
}: {
  title: string;
  isOpen?: boolean;
  isReadOnly?: boolean;
  children: ReactNode;
}) {
  const [isExpanded, setExpanded] = useState(isOpen);
  return (
    <Disclosure className="panel" isExpanded={isExpanded} onExpandedChange={setExpanded}>
      <Heading level={2}>
        <AriaButton slot="trigger">
          <ChevronRight aria-hidden size={16} />
          {title}
        </AriaButton>
      </Heading>
      <DisclosurePanel>
        {isExpanded && (
          <fieldset className="panel-body" disabled={isReadOnly}>
            {children}
          </fieldset>
        )}
      </DisclosurePanel>
    </Disclosure>
  );
}
