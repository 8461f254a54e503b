import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { dataOf, pageOf, rest } from '../../../app/api.ts';
import { useSite } from '../../../app/sites.ts';
import { Button } from '../../../parts/button.tsx';
import { notifyProblem } from '../../../parts/notify.ts';
import { refreshContent } from '../list/bulk.ts';
import { Panel, type PanelProps } from './panels.tsx';
import { strings } from './strings.ts';

const members = ['id', 'title', 'translation_of'] as const;

/** The item in the other languages of the site. */
export function TranslationsPanel(
  props: PanelProps & { isSourceShown: boolean; onShowSource: (isShown: boolean) => void },
) {
  const { data: record } = useSite(props.site);
  const isDefault = record?.default_locale === props.values.locale;
  if (!record || record.locales.length < 2 || (!isDefault && props.values.translation_of === null)) return null;
  return (
    <Panel title={strings.translations} isOpen>
      <Translations {...props} locales={record.locales} defaultLocale={record.default_locale} />
    </Panel>
  );
}

function Translations({
  site,
  state: { item },
  values,
  locales,
  defaultLocale,
  isSourceShown,
  onShowSource,
}: Parameters<typeof TranslationsPanel>[0] & { locales: readonly string[]; defaultLocale: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const original = item.translation_of ?? item.id;
  const others = locales.filter((locale) => locale !== values.locale);
  const found = useQuery({
    queryKey: ['content', site, 'translations', original],
    queryFn: async () => {
      const find = async (locale: string) => {
        const query = { locale, type: item.type, per_page: 100, fields: [...members] };
        if (locale === defaultLocale)
          return dataOf(rest.GET('/sites/{site}/content/{id}', { params: { path: { site, id: original } } }));
        const { data } = await pageOf(rest.GET('/sites/{site}/content', { params: { path: { site }, query } }));
        return data.find((each) => each.translation_of === original);
      };
      return Object.fromEntries(await Promise.all(others.map(async (locale) => [locale, await find(locale)] as const)));
    },
  });
  const create = useMutation({
    mutationFn: (locale: string) =>
      dataOf(
        rest.POST('/sites/{site}/content', {
          params: { path: { site } },
          body: { title: values.title, type: item.type, locale, translation_of: original, body_html: values.body_html },
        }),
      ),
    async onSuccess({ id }) {
      void refreshContent(client, site);
      await navigate({ to: `/sites/${site}/content/${id}` });
    },
    onError: notifyProblem,
  });
  return (
    <>
      <ul className="plain-list">
        {others.map((locale) => {
          const other = found.data?.[locale];
          return (
            <li key={locale} className="translation">
              <span>{locale}</span>
              {other ? (
                <Link to={`/sites/${site}/content/${other.id}`}>{other.title}</Link>
              ) : (
                <>
                  <span className="field-description">{strings.missingTranslation}</span>
                  {found.isSuccess && item.translation_of === null && (
                    <Button variant="quiet" isPending={create.isPending} onPress={() => create.mutate(locale)}>
                      {strings.translate}
                    </Button>
                  )}
                </>
              )}
            </li>
          );
        })}
      </ul>
      {item.translation_of !== null && (
        <Button onPress={() => onShowSource(!isSourceShown)}>
          {isSourceShown ? strings.hideSource : strings.showSource}
        </Button>
      )}
    </>
  );
}
