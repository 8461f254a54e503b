import { expect, test } from '@jest/globals';
import { describeTwig } from '../../../services/twig/index.ts';

/** Every name in the indexes of Twig's documentation at version 3.30, by kind. */
const documented = {
  tags: `apply autoescape block cache deprecated do embed extends flush for from guard if import include macro sandbox set
    types use verbatim with`,
  filters: `abs batch capitalize column convert_encoding country_name currency_name currency_symbol data_uri date date_modify
    default escape filter find first format format_currency format_date format_datetime format_list format_number format_time
    html_attr_merge html_attr_type html_to_markdown inky_to_html inline_css invoke join json_encode keys language_name last
    length locale_name lower map markdown_to_html merge nl2br number_format plural raw reduce replace reverse round shuffle
    singular slice slug sort sort_localized spaceless split striptags timezone_name title trim u upper url_encode`,
  functions: `attribute block constant country_names country_timezones currency_names cycle date dump enum enum_cases html_attr
    html_classes html_cva include include_only language_names locale_names max min parent random range render_sandboxed
    script_names source template_from_string timezone_names`,
  tests: 'constant defined divisible_by empty even iterable mapping none null odd same_as sequence',
} as const;

const twig = describeTwig();
const refused = twig.unsupported.map(({ feature }) => feature).join('\n');

test.each(Object.keys(documented) as (keyof typeof documented)[])(
  'each of the %s that Twig documents is there or is named among those left out',
  (kind) => {
    const known: readonly string[] = twig[kind];
    const names = documented[kind].split(/\s+/).map((name) => (kind === 'tests' ? name.replace('_', ' ') : name));
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !known.includes(name) && !refused.includes(`\`${name}\``))).toEqual([]);
  },
);
