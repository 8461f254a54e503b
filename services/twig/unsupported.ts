/**
 * The features that the Twig 3 reference documents, up to 3.30, and this engine does not support, for the authoring
 * guide.
 */
export const unsupportedTwigFeatures: readonly { feature: string; reason: string }[] = [
  {
    feature: 'filter `convert_encoding` beyond UTF-8, ASCII and Latin-1',
    reason: 'texts are Unicode; nothing is stored in another encoding',
  },
  {
    feature: 'filters `html_to_markdown`, `markdown_to_html`, `inky_to_html`, `inline_css`',
    reason: 'they belong to mail templates and to other packages; content arrives as HTML',
  },
  {
    feature: 'filters `u`, `plural`, `singular`',
    reason: 'they return PHP string objects or need a dictionary; `slug`, `upper`, `slice` and the like cover pages',
  },
  {
    feature:
      'filters `timezone_name`, `format_spellout_number`, `format_ordinal_number`, `format_duration_number`, and `format_*` with a `pattern` or `calendar`',
    reason: "they follow PHP's intl library; use `date`, or `format_date` with a named style",
  },
  {
    feature:
      'functions `country_names`, `country_timezones`, `currency_names`, `language_names`, `locale_names`, `script_names`, `timezone_names`',
    reason: "lists of PHP's intl library",
  },
  {
    feature:
      'functions `enum`, `enum_cases`, and `constant` beyond `JSON_*`, `DATE_*`, `PHP_EOL`, `PHP_INT_MAX` and `M_PI`',
    reason: 'there are no PHP classes',
  },
  {
    feature: 'function `render_sandboxed`',
    reason: 'every template runs in the sandbox; `include_only` keeps the variables apart',
  },
  {
    feature: 'method calls such as `date.format(…)`',
    reason: 'values are data without methods; use filters. The result of `html_cva` has its `apply`',
  },
  { feature: 'function `dump`', reason: 'it prints nothing, as in PHP without debug mode' },
  { feature: 'tag `cache`', reason: 'accepted and rendered in place: a page is rendered once per build' },
  {
    feature: 'tags `flush`, `deprecated`, `types`, `sandbox`',
    reason: 'accepted without effect: every template runs in the sandbox and pages are rendered whole',
  },
];
